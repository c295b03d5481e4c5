"""Versions, withdrawals and deprecations at the admin: looked at, yanked, never edited."""

import pytest

from registry.models import Namespace, Version, Withdrawal
from tests.admin.conftest import Desk, last_event
from tests.publishing import publish

BOARD = {"kind": "llvm", "mcpu": "haswell"}


@pytest.fixture
def board(acme: Namespace) -> Version:
    """A version."""
    return publish("acme/board", BOARD, message="First")


def test_page_shows_all_that_is_stored(desk: Desk, board: Version) -> None:
    publish("acme/child", {"tag": "acme/board", "num-cores": 4})
    child = Version.objects.get(tag__text="acme/child")
    page = desk.see(f"registry/version/{child.pk}/change/")
    for shown in (child.digest, '"num-cores": 4', "acme/board@1.0.0", "inherits", "llvm revision"):
        assert shown in page.text
    assert "/tags/acme/child@1.0.0" in page.links
    assert "/api/v1/resolve/acme/child@1.0.0" in page.links


def test_yanking_and_taking_it_back(desk: Desk, board: Version) -> None:
    answer = desk.send(f"registry/version/{board.pk}/yank/", reason="wrong cores")
    assert "acme/board@1.0.0 is yanked." in answer.text
    assert "wrong cores" in answer.text
    assert (last_event().action, last_event().actor) == ("version.yanked", desk.user)
    answer = desk.send(f"registry/version/{board.pk}/unyank/", reason="right after all")
    assert "no longer yanked" in answer.text
    assert Withdrawal.objects.filter(version=board).count() == 2


@pytest.mark.parametrize(("reason", "status"), [("", 422), ("  ", 422), ("bell\x07", 400)])
def test_a_yank_says_why(desk: Desk, board: Version, reason: str, status: int) -> None:
    answer = desk.send(f"registry/version/{board.pk}/yank/", reason=reason)
    assert answer.status == status
    assert not Withdrawal.objects.filter(version=board).exists()


def test_yanking_twice_is_in_conflict(desk: Desk, board: Version) -> None:
    desk.send(f"registry/version/{board.pk}/yank/", reason="wrong")
    answer = desk.send(f"registry/version/{board.pk}/yank/", reason="wrong again")
    assert answer.status == 409
    assert "wrong again" in answer.text


def test_list_is_searched_by_name_and_by_digest(desk: Desk, board: Version) -> None:
    assert "acme/board@1.0.0" in desk.see("registry/version/", q="Acme Board").rows[0]
    rows = desk.see("registry/version/", q=board.digest[:20]).rows
    assert any("acme/board@1.0.0" in row for row in rows)
    assert desk.see("registry/version/", q="sha256:zz").rows == []


def test_filters_narrow_by_status_kind_namespace_and_tag(desk: Desk, board: Version) -> None:
    publish("acme/board", BOARD | {"num-cores": 4})
    desk.send(f"registry/version/{board.pk}/yank/", reason="wrong")

    def found(**narrowed: str) -> list[str]:
        rows = desk.see("registry/version/", namespace="acme", **narrowed).rows
        return [row.split()[0] for row in rows]

    assert found() == ["acme/board@2.0.0", "acme/board@1.0.0"]
    assert found(status="yanked") == ["acme/board@1.0.0"]
    assert found(status="active") == ["acme/board@2.0.0"]
    assert found(kind="cuda") == []
    assert found(kind="llvm", tag="acme/board") == ["acme/board@2.0.0", "acme/board@1.0.0"]


def test_second_thoughts_are_lists_to_read(desk: Desk, board: Version) -> None:
    desk.send(f"registry/version/{board.pk}/yank/", reason="wrong cores")
    desk.send(f"registry/tag/{board.tag_id}/deprecate/", reason="too old", successor="")
    (row,) = desk.see("registry/withdrawal/", namespace="acme", actor="boss").rows
    assert row.startswith("yanked acme/board@1.0.0 wrong cores boss")
    (row,) = desk.see("registry/deprecation/", namespace="acme").rows
    assert row.startswith("deprecated acme/board — too old boss")
    assert desk.see("registry/deprecation/", actor="alice").rows == []
    held = Withdrawal.objects.get(version=board)
    assert "wrong cores" in desk.see(f"registry/withdrawal/{held.pk}/change/").text
