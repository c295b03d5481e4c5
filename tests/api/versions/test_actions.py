"""Tests of POST yank and unyank."""

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from tests.api.actions import BOARD, last_event, refused
from tests.api.conftest import Post
from tests.api.problems import problem
from tests.publishing import publish as put, row_counts, yank

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("changeable_rows"),
    pytest.mark.any_database,
]


def test_yanked_version_has_a_warning(change: Post, client: Client) -> None:
    response = change("yank/acme/board@1.0.0", {"reason": " counted threads\n"})
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    data = response.json()
    assert data.pop("at").endswith("Z")
    assert data == {
        "reference": "acme/board@1.0.0",
        "status": "yanked",
        "reason": "counted threads",
        "by": "alice",
    }
    detail = {"reason": "counted threads", "before": "active", "after": "yanked"}
    assert last_event() == ("version.yanked", "acme/board@1.0.0", detail)
    resolved = client.get("/api/v1/resolve/acme/board@1.0.0").json()
    assert resolved["status"] == "yanked"
    assert "counted threads" in resolved["warnings"][0]["message"]
    problem(client.get("/api/v1/resolve/acme/board"), "VERSION_UNKNOWN")


def test_yank_can_be_undone(change: Post, client: Client) -> None:
    data = change("unyank/acme/board@2.0.0", {"reason": "was right"}).json()
    assert (data["reference"], data["status"]) == ("acme/board@2.0.0", "active")
    assert (data["reason"], data["by"]) == ("was right", "alice")
    resolved = client.get("/api/v1/resolve/acme/board").json()
    assert (resolved["version"], resolved["warnings"]) == ("2.0.0", [])


@pytest.mark.parametrize("verb", ["yank", "unyank"])
@pytest.mark.parametrize("selector", ["", "@1", "@1.0", "@sha256:" + "0" * 64])
def test_yank_needs_an_exact_version_number(change: Post, verb: str, selector: str) -> None:
    before = row_counts()
    error = refused(
        change(f"{verb}/acme/board{selector}", {"reason": "x"}), "REFERENCE_INVALID", before
    )
    assert "acme/board@1.0.0" in error["detail"]


@pytest.mark.parametrize("verb", ["yank", "unyank"])
def test_any_reference_to_an_alias_is_rejected(change: Post, alice: User, verb: str) -> None:
    for alias, reference in (("acme/Board,b", "acme/board"), ("acme/first", "acme/board@1.0.0")):
        aliases.point_alias(alias, Reference.parse(reference), actor=Actor.operator(alice))
        before = row_counts()
        error = refused(change(f"{verb}/{alias}@1.0.0", {"reason": "x"}), "CONFLICT", before)
        assert error["suggestions"] == ["acme/board"]


def test_alias_in_own_namespace_grants_no_access_to_another(change: Post, alice: User) -> None:
    aliases.point_alias("acme/soc", Reference.parse("arm/soc"), actor=Actor.operator(alice))
    before = row_counts()
    refused(change("yank/acme/soc@1.0.0", {"reason": "x"}), "CONFLICT", before)
    refused(change("deprecate/acme/soc", {"reason": "x"}), "CONFLICT", before)


def test_unyank_names_the_later_version_without_a_key(change: Post) -> None:
    put("acme/keys", BOARD)
    put("acme/keys", BOARD | {"host": {"kind": "c"}})
    yank("acme/keys@1.1.0")
    put("acme/keys", BOARD | {"runtime": "cpp"})
    before = row_counts()
    error = refused(change("unyank/acme/keys@1.1.0", {"reason": "x"}), "CONFLICT", before)
    assert "acme/keys@1.2.0" in error["detail"]


def test_unyank_that_creates_a_cycle_is_rejected(change: Post) -> None:
    put("acme/a", BOARD)
    put("acme/b", BOARD)
    put("acme/a", {"tag": "acme/b"})
    yank("acme/a@1.0.1")
    put("acme/b", {"tag": "acme/a", "runtime": "cpp"})
    before = row_counts()
    refused(change("unyank/acme/a@1.0.1", {"reason": "x"}), "CYCLE", before)


@pytest.mark.parametrize("condition", [{"If-None-Match": "*"}, {"If-Match": '"1.0.0"'}])
def test_response_precondition_does_not_fail_a_completed_write(
    change: Post, condition: dict[str, str]
) -> None:
    response = change("yank/acme/board@1.0.0", {"reason": "x"}, **condition)
    assert response.status_code == 200
    assert "ETag" not in response
