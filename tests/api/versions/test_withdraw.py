"""Tests of POST yank, unyank, deprecate and undeprecate."""

import json
from typing import Any

import pytest
from django.test import Client

from registry.domain.reference import Reference, Tag
from registry.models import Event, Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from registry.services.tags import aliases, deprecation
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.people import make_acme, make_alice
from tests.publishing import publish as put, row_counts, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
CHANGES = ["yank/acme/board@1.0.0", "unyank/acme/board@2.0.0"]
CHANGES += ["deprecate/acme/board", "undeprecate/acme/old"]


@pytest.fixture(scope="module", autouse=True)
def existing_rows(module_transaction: None) -> None:
    """Create a board whose second version is yanked, a deprecated tag and an alias."""
    make_acme()
    actor = Actor.operator(make_alice())
    put("acme/board", BOARD)
    put("acme/board", BOARD | {"num-cores": 8})
    put("acme/old", BOARD | {"num-cores": 2})
    yank("acme/board@2.0.0")
    deprecation.deprecate(Tag.parse("acme/old"), reason="sold out", actor=actor)
    aliases.point_alias("acme/alias", Reference.parse("acme/board"), actor=actor)


@pytest.fixture
def change(post: Post, acme: Namespace, alice: User) -> Post:
    """Return a function that posts a withdrawal: `change("yank/acme/x@1.0.0", {...})`."""
    text = tokens.issue_token(
        alice, label="y", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )

    def send(path: str, value: Any, **headers: str) -> Any:
        return post(path, value, **({"Authorization": f"Bearer {text}"} | headers))

    return send


def last_event() -> tuple[str, str, dict[str, Any]]:
    event = Event.objects.latest("number")
    return event.action, event.subject, json.loads(event.detail)


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


@pytest.mark.parametrize("successor", [None, "acme/old"])
def test_deprecated_tag_names_its_successor(
    change: Post, client: Client, successor: str | None
) -> None:
    payload = {"reason": "use the other"} | ({"successor": successor} if successor else {})
    response = change("deprecate/acme/board", payload)
    assert response.json() == {
        "tag": "acme/board",
        "status": "deprecated",
        "deprecated": {"reason": "use the other", "successor": successor},
    }
    assert response["Cache-Control"] == "no-store"
    shown = client.get("/api/v1/tags/acme/board").json()
    assert {key: shown[key] for key in response.json()} == response.json()
    sides = {
        "before": {"status": "active", "successor": None},
        "after": {"status": "deprecated", "successor": successor},
    }
    detail = {"reason": "use the other", "successor": successor, **sides}
    assert last_event() == ("tag.deprecated", "acme/board", detail)


def test_deprecation_can_be_undone(change: Post, client: Client) -> None:
    response = change("undeprecate/acme/old", {"reason": "in stock again"})
    assert response.json() == {"tag": "acme/old", "status": "active", "deprecated": None}
    assert client.get("/api/v1/resolve/acme/old").json()["warnings"] == []


@pytest.mark.parametrize("path", CHANGES)
def test_repeated_change_is_a_conflict(change: Post, path: str) -> None:
    assert change(path, {"reason": "once"}).status_code == 200
    before = row_counts()
    problem(change(path, {"reason": "twice"}), "CONFLICT")
    assert row_counts() == before


def refused(response: Any, code: str, before: tuple[int, ...]) -> dict[str, Any]:
    assert row_counts() == before
    return problem(response, code)


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    "reason",
    ["", "  \n", "x" * 501, "bell \x07", "two\nlines", "\u202edesrever", "\u200b", "\u009bcsi"],
)
def test_invalid_reason_is_rejected(change: Post, path: str, reason: str) -> None:
    before = row_counts()
    error = refused(change(path, {"reason": reason}), "REQUEST_INVALID", before)
    assert error_positions(error) == [("/reason", "REQUEST_INVALID")]
    assert error["errors"][0]["found"].isprintable()


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": 5}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": None}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": ["x"]}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": "x", "raeson": "y"}, [("/raeson", "REQUEST_INVALID")]),
        ({"reason": "x", "force": True}, [("/force", "REQUEST_INVALID")]),
    ],
)
def test_missing_or_unknown_member_is_rejected(
    change: Post, path: str, payload: Any, expected: list[tuple[str, str]]
) -> None:
    before = row_counts()
    assert error_positions(refused(change(path, payload), "REQUEST_INVALID", before)) == expected


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    ("text", "headers", "code"),
    [
        ("", {}, "LENGTH_REQUIRED"),
        (" ", {}, "JSON_INVALID"),
        ("reason=x", {}, "JSON_INVALID"),
        ('{"reason": "a", "reason": "b"}', {}, "JSON_INVALID"),
        ('{"reason": "\\u0000"}', {}, "JSON_INVALID"),
        ('{"reason": "\\ud800"}', {}, "JSON_INVALID"),
        ('{"reason": "' + "x" * 140_000 + '"}', {}, "TOO_LARGE"),
        ('{"reason": "x"}', {"Transfer-Encoding": "chunked"}, "LENGTH_REQUIRED"),
        ('{"reason": "x"}', {"Content-Type": "text/plain"}, "MEDIA_TYPE_UNSUPPORTED"),
    ],
)
def test_unreadable_request_is_rejected(
    change: Post, path: str, text: str, headers: dict[str, str], code: str
) -> None:
    before = row_counts()
    refused(change(path, text, **headers), code, before)


@pytest.mark.parametrize("verb", ["yank", "unyank"])
@pytest.mark.parametrize("selector", ["", "@1", "@1.0", "@sha256:" + "0" * 64])
def test_yank_needs_an_exact_version_number(change: Post, verb: str, selector: str) -> None:
    before = row_counts()
    error = refused(
        change(f"{verb}/acme/board{selector}", {"reason": "x"}), "REFERENCE_INVALID", before
    )
    assert "acme/board@1.0.0" in error["detail"]


@pytest.mark.parametrize("verb", ["deprecate", "undeprecate"])
def test_deprecation_rejects_versions(change: Post, verb: str) -> None:
    before = row_counts()
    refused(change(f"{verb}/acme/old@1.0.0", {"reason": "x"}), "REFERENCE_INVALID", before)


@pytest.mark.parametrize(
    "path",
    [
        *("yank/acme/alias@1.0.0", "unyank/acme/alias@2.0.0"),
        *("deprecate/acme/alias", "undeprecate/acme/alias"),
    ],
)
def test_alias_cannot_be_written_through(change: Post, path: str) -> None:
    before = row_counts()
    assert refused(change(path, {"reason": "x"}), "CONFLICT", before)["suggestions"] == [
        "acme/board"
    ]


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


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("yank/acme/bord@1.0.0", "TAG_UNKNOWN"),
        ("yank/acme/board@7.0.0", "VERSION_UNKNOWN"),
        ("yank/acme/Board@1.0.0", "REFERENCE_INVALID"),
        ("yank/acme/board@1.0.0.0", "REFERENCE_INVALID"),
        ("yank/acme/board@1.0.0%0A", "REFERENCE_INVALID"),
        ("unyank/acme/board@7.0.0", "VERSION_UNKNOWN"),
        ("deprecate/acme/bord", "TAG_UNKNOWN"),
        ("deprecate/acme", "REFERENCE_INVALID"),
        ("undeprecate/acme/bord", "TAG_UNKNOWN"),
    ],
)
def test_unknown_tag_or_version_is_not_changed(change: Post, path: str, code: str) -> None:
    before = row_counts()
    error = refused(change(path, {"reason": "x"}), code, before)
    if code == "TAG_UNKNOWN":
        assert "acme/board" in error["suggestions"]


@pytest.mark.parametrize(
    ("successor", "code"),
    [
        ("acme/bord", "TAG_UNKNOWN"),
        ("acme/alias", "CONFLICT"),
        ("acme/board", "CONFLICT"),
        ("acme/old@1", "REFERENCE_INVALID"),
        ("", "REFERENCE_INVALID"),
        (None, "REQUEST_INVALID"),
    ],
)
def test_successor_must_be_another_tag(change: Post, successor: str | None, code: str) -> None:
    before = row_counts()
    payload = {"reason": "x", "successor": successor}
    error = refused(change("deprecate/acme/board", payload), code, before)
    assert error_positions(error) == [("/successor", code)]


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


def test_path_is_checked_before_the_token_and_the_token_before_the_request(post: Post) -> None:
    problem(post("yank/acme/board", {}), "REFERENCE_INVALID")
    problem(post("deprecate/acme/board@1", {}), "REFERENCE_INVALID")
    for path in CHANGES:
        problem(post(path, {}), "UNAUTHENTICATED")


def test_request_is_checked_before_the_state(change: Post) -> None:
    problem(change("yank/acme/nothing@1.0.0", {}), "REQUEST_INVALID")
    problem(change("deprecate/acme/alias", {"reason": ""}), "REQUEST_INVALID")


@pytest.mark.parametrize("path", CHANGES)
def test_withdrawals_require_post(client: Client, path: str) -> None:
    for method in ("get", "put", "delete"):
        response = getattr(client, method)(f"/api/v1/{path}")
        problem(response, "METHOD_NOT_ALLOWED")
        assert response["Allow"] == "POST, OPTIONS"
