"""Tests of versions, withdrawals and deprecations in the admin."""

import pytest

from registry.models import Namespace, Version, Withdrawal
from tests.admin.conftest import AdminClient, last_event
from tests.publishing import publish

BOARD = {"kind": "llvm", "mcpu": "haswell"}


@pytest.fixture
def board(acme: Namespace) -> Version:
    """A version."""
    return publish("acme/board", BOARD, message="First")


def test_page_shows_the_stored_data(superuser: AdminClient, board: Version) -> None:
    publish("acme/child", {"tag": "acme/board", "num-cores": 4})
    child = Version.objects.get(tag__text="acme/child")
    page = superuser.get(f"registry/version/{child.pk}/change/")
    for text in (child.digest, '"num-cores": 4', "acme/board@1.0.0", "inherits", "llvm revision"):
        assert text in page.text
    assert "/tags/acme/child@1.0.0" in page.links
    assert "/api/v1/resolve/acme/child@1.0.0" in page.links


def test_version_can_be_yanked_and_unyanked(superuser: AdminClient, board: Version) -> None:
    answer = superuser.post(f"registry/version/{board.pk}/yank/", reason="wrong cores")
    assert "acme/board@1.0.0 is yanked." in answer.text
    assert "wrong cores" in answer.text
    assert (last_event().action, last_event().actor) == ("version.yanked", superuser.user)
    answer = superuser.post(f"registry/version/{board.pk}/unyank/", reason="right after all")
    assert "no longer yanked" in answer.text
    assert Withdrawal.objects.filter(version=board).count() == 2


@pytest.mark.parametrize("reason", ["", "  ", "bell\x07", "two\nlines", "x" * 501])
def test_yank_needs_a_reason(superuser: AdminClient, board: Version, reason: str) -> None:
    answer = superuser.post(f"registry/version/{board.pk}/yank/", reason=reason)
    assert answer.status == 400
    assert not Withdrawal.objects.filter(version=board).exists()


def test_yanked_version_cannot_be_yanked_again(superuser: AdminClient, board: Version) -> None:
    superuser.post(f"registry/version/{board.pk}/yank/", reason="wrong")
    answer = superuser.post(f"registry/version/{board.pk}/yank/", reason="wrong again")
    assert answer.status == 409
    assert 'value="wrong again"' in answer.html


def test_form_that_could_not_succeed_is_not_shown(superuser: AdminClient, board: Version) -> None:
    page = superuser.client.get(f"/admin/registry/version/{board.pk}/unyank/")
    assert page.status_code == 409
    assert "is not yanked" in page.content.decode()


def test_list_can_be_searched_by_name_and_digest(superuser: AdminClient, board: Version) -> None:
    assert "acme/board@1.0.0" in superuser.get("registry/version/", q="Acme Board").rows[0]
    rows = superuser.get("registry/version/", q=board.digest[:20]).rows
    assert any("acme/board@1.0.0" in row for row in rows)
    assert superuser.get("registry/version/", q="sha256:zz").rows == []


def test_list_can_be_filtered_by_status_kind_namespace_and_tag(
    superuser: AdminClient, board: Version
) -> None:
    publish("acme/board", BOARD | {"num-cores": 4})
    superuser.post(f"registry/version/{board.pk}/yank/", reason="wrong")

    def versions(**filters: str) -> list[str]:
        rows = superuser.get("registry/version/", namespace="acme", **filters).rows
        return [row.split()[0] for row in rows]

    assert versions() == ["acme/board@2.0.0", "acme/board@1.0.0"]
    assert versions(status="yanked") == ["acme/board@1.0.0"]
    assert versions(status="active") == ["acme/board@2.0.0"]
    assert versions(kind="cuda") == []
    assert versions(kind="llvm", tag="acme/board") == ["acme/board@2.0.0", "acme/board@1.0.0"]


def test_withdrawals_and_deprecations_are_listed(superuser: AdminClient, board: Version) -> None:
    superuser.post(f"registry/version/{board.pk}/yank/", reason="wrong cores")
    superuser.post(f"registry/tag/{board.tag_id}/deprecate/", reason="too old", successor="")
    (row,) = superuser.get("registry/withdrawal/", namespace="acme", actor="boss").rows
    assert row.startswith("yanked acme/board@1.0.0 wrong cores boss")
    (row,) = superuser.get("registry/deprecation/", namespace="acme").rows
    assert row.startswith("deprecated acme/board — too old boss")
    assert superuser.get("registry/deprecation/", actor="alice").rows == []
    withdrawal = Withdrawal.objects.get(version=board)
    assert "wrong cores" in superuser.get(f"registry/withdrawal/{withdrawal.pk}/change/").text
