"""Tests of PUT aliases/<alias>."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import Event, Name, Namespace, Policy, Role, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from registry.services.tags import aliases
from tests.api.problems import error_positions, problem
from tests.publishing import publish, row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
Put = Callable[..., Any]


@pytest.fixture(autouse=True)
def existing_rows(acme: Namespace, alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/other", BOARD | {"num-cores": 8})
    aliases.point_alias("acme/alias", Reference.parse("acme/board"), actor=Actor.operator(alice))


@pytest.fixture
def put(client: Client, acme: Namespace, alice: User) -> Put:
    """Return a function that sends a PUT with a curator's token."""
    text = tokens.issue_token(
        alice, label="c", scopes={Scope.ADMIN}, pattern="acme", actor=Actor.operator(alice)
    )

    def send(alias: str, value: Any, **headers: str) -> Any:
        data = value if isinstance(value, str) else json.dumps(value)
        given = {"Authorization": f"Bearer {text}"} | headers
        return client.put(f"/api/v1/aliases/{alias}", data, "application/json", headers=given)

    return send


def point(put: Put, alias: str, reference: str, **headers: str) -> Any:
    return put(alias, {"reference": reference}, **headers)


def refused(response: Any, code: str, before: tuple[int, ...]) -> dict[str, Any]:
    assert row_counts() == before
    assert str(aliases.Alias(Name.objects.get(text="acme/alias"), False).reference) == "acme/board"
    return problem(response, code)


def test_new_alias_is_created(put: Put, client: Client) -> None:
    response = point(put, "acme/Board,b", "acme/board")
    assert response.status_code == 201
    assert response["Cache-Control"] == "no-store"
    assert response.json() == {
        "alias": "acme/Board,b",
        "tag": "acme/board",
        "reference": "acme/board",
    }
    resolved = client.get(response["Location"]).json()
    assert (resolved["reference"], resolved["tag"]) == ("acme/Board,b", "acme/board")


def test_repointing_an_alias_records_an_event(put: Put, client: Client) -> None:
    response = point(put, "acme/alias", "acme/other@1")
    assert response.status_code == 200
    assert "Location" not in response
    assert response.json() == {
        "alias": "acme/alias",
        "tag": "acme/other",
        "reference": "acme/other@1",
    }
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.namespace) == ("alias.pointed", "acme/alias", "acme")
    assert json.loads(event.detail) == {"to": "acme/other@1", "was": "acme/board"}
    assert client.get("/api/v1/tags/acme/alias").json()["tag"] == "acme/other"


def test_pointing_an_alias_to_its_target_changes_nothing(put: Put) -> None:
    before = row_counts()
    response = point(put, "acme/alias", "acme/board")
    assert (response.status_code, response.json()["reference"]) == (200, "acme/board")
    assert row_counts() == before


def test_alias_may_point_to_a_version_or_digest(put: Put, client: Client) -> None:
    digest = client.get("/api/v1/resolve/acme/board").json()["digest"]
    for selector in ("1", "1.0", "1.0.0", digest):
        response = point(put, "acme/fixed", f"acme/board@{selector}")
        assert response.json()["reference"] == f"acme/board@{selector}"
        resolved = client.get("/api/v1/resolve/acme/fixed").json()
        assert (resolved["tag"], resolved["version"]) == ("acme/board", "1.0.0")


def test_alias_may_point_to_a_tag_of_another_namespace(put: Put) -> None:
    assert point(put, "acme/soc", "arm/soc").json()["tag"] == "arm/soc"


@pytest.mark.parametrize(
    ("alias", "code"),
    [
        ("acme/board", "CONFLICT"),
        ("acme/other", "CONFLICT"),
        ("arm/mine", "FORBIDDEN"),
        ("arm/soc", "FORBIDDEN"),
        ("acme/x@1", "REFERENCE_INVALID"),
        ("acme/x%20y", "REFERENCE_INVALID"),
        ("acme/x%3Fy", "REFERENCE_INVALID"),
        ("acme/x%0A", "REFERENCE_INVALID"),
        ("acme/x.json", "REFERENCE_INVALID"),
        ("acme/" + "x" * 179, "REFERENCE_INVALID"),
        ("acme", "REFERENCE_INVALID"),
        ("", "REFERENCE_INVALID"),
    ],
)
def test_invalid_or_foreign_alias_is_rejected(put: Put, alias: str, code: str) -> None:
    before = row_counts()
    refused(point(put, alias, "acme/board"), code, before)


def test_unknown_namespace_is_rejected(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    text = tokens.issue_token(
        alice, label="s", scopes={Scope.ADMIN}, pattern="*", actor=Actor.operator(alice)
    )
    before = row_counts()
    response = client.put(
        "/api/v1/aliases/nobody/x",
        {"reference": "acme/board"},
        "application/json",
        headers={"Authorization": f"Bearer {text}"},
    )
    refused(response, "NAMESPACE_UNKNOWN", before)


@pytest.mark.parametrize(
    ("reference", "code", "suggestion"),
    [
        ("acme/bord", "TAG_UNKNOWN", "acme/board"),
        ("acme/board@7", "VERSION_UNKNOWN", "acme/board@1.0.0"),
        ("acme/board@sha256:" + "0" * 64, "VERSION_UNKNOWN", "acme/board@1.0.0"),
        ("acme/alias", "CONFLICT", "acme/board"),
        ("acme/alias@1", "CONFLICT", "acme/board"),
        ("nvidia/a100", "CONFLICT", "nvidia/nvidia-a100"),
        ("acme/Board", "TAG_UNKNOWN", "acme/board"),
        ("Acme/board", "REFERENCE_INVALID", None),
        ("", "REFERENCE_INVALID", None),
        (7, "REQUEST_INVALID", None),
    ],
)
@pytest.mark.parametrize("alias", ["acme/alias", "acme/new"])
def test_reference_must_resolve(
    put: Put, alias: str, reference: Any, code: str, suggestion: str | None
) -> None:
    before = row_counts()
    error = refused(point(put, alias, reference), code, before)
    assert error_positions(error) == [("/reference", code)]
    if suggestion:
        assert suggestion in error["suggestions"]


def test_alias_to_an_alias_is_rejected(put: Put) -> None:
    publish("acme/child", {"tag": "acme/alias", "num-cores": 2})
    publish("acme/grandchild", {"tag": "acme/child", "num-cores": 3})
    before = row_counts()
    for reference in ("acme/child", "acme/grandchild", "acme/grandchild@1"):
        refused(point(put, "acme/alias", reference), "CYCLE", before)
    assert point(put, "acme/alias", "acme/grandchild@1.0.0").status_code == 200


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({}, [("/reference", "REQUEST_INVALID")]),
        ({"reference": "acme/other", "tag": "x"}, [("/tag", "REQUEST_INVALID")]),
        (
            {"refrence": "acme/other"},
            [(f"/{name}", "REQUEST_INVALID") for name in ("reference", "refrence")],
        ),
    ],
)
def test_request_has_only_a_reference(
    put: Put, payload: Any, expected: list[tuple[str, str]]
) -> None:
    before = row_counts()
    assert (
        error_positions(refused(put("acme/alias", payload), "REQUEST_INVALID", before)) == expected
    )


@pytest.mark.parametrize(
    ("text", "headers", "code"),
    [
        ("", {}, "LENGTH_REQUIRED"),
        (" ", {}, "JSON_INVALID"),
        ('["acme/other"]', {}, "JSON_INVALID"),
        ('{"reference": "acme/other"}', {"Transfer-Encoding": "chunked"}, "LENGTH_REQUIRED"),
        ('{"reference": "acme/other"}', {"Content-Type": "text/plain"}, "MEDIA_TYPE_UNSUPPORTED"),
        ('{"reference": "' + "x" * 140_000 + '"}', {}, "TOO_LARGE"),
    ],
)
def test_unreadable_request_is_rejected(
    put: Put, text: str, headers: dict[str, str], code: str
) -> None:
    before = row_counts()
    refused(put("acme/alias", text, **headers), code, before)


@pytest.mark.parametrize(
    "condition",
    [
        {"If-None-Match": "*"},
        {"If-Match": '"acme/other"'},
        {"If-Match": '"acme/board@1"'},
        {"If-Match": "*"},
        {"If-Match": 'W/"acme/board"'},
        {"If-None-Match": '"acme/board"'},
        {"If-Match": '"acme/board"', "If-None-Match": "*"},
    ],
)
def test_failed_precondition_leaves_the_alias_unchanged(
    put: Put, condition: dict[str, str]
) -> None:
    before = row_counts()
    response = point(put, "acme/alias", "acme/other", **condition)
    refused(response, "PRECONDITION_FAILED", before)


def test_alias_is_repointed_if_the_precondition_holds(put: Put) -> None:
    assert point(put, "acme/new", "acme/board", **{"If-None-Match": "*"}).status_code == 201
    condition = {"If-Match": '"acme/board"'}
    assert point(put, "acme/new", "acme/other", **condition).status_code == 200
    error = problem(point(put, "acme/new", "acme/other", **condition), "PRECONDITION_FAILED")
    assert "acme/other" in error["detail"]
    error = problem(point(put, "acme/newer", "acme/other", **condition), "PRECONDITION_FAILED")
    assert "points at nothing" in error["detail"]


def test_path_is_checked_before_the_token_and_the_token_before_the_request(client: Client) -> None:
    problem(client.put("/api/v1/aliases/acme/x@1"), "REFERENCE_INVALID")
    problem(client.put("/api/v1/aliases/acme/x"), "UNAUTHENTICATED")


def test_reading_an_alias_returns_its_tag(client: Client) -> None:
    response = client.get("/api/v1/aliases/acme/alias")
    problem(response, "METHOD_NOT_ALLOWED")
    assert response["Allow"] == "PUT, OPTIONS"


@pytest.mark.parametrize("format", ["json", "target"])
def test_alias_of_an_exact_version_is_cached_as_floating(
    client: Client, alice: User, format: str
) -> None:
    reference = Reference.parse("acme/board@1.0.0")
    aliases.point_alias("acme/first", reference, actor=Actor.operator(alice))
    response = client.get(f"/api/v1/resolve/acme/first?format={format}")
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_four_eyes_needs_the_same_request_of_a_second_curator(
    put: Put, client: Client, acme: Namespace, alice: User
) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    response = point(put, "acme/alias", "acme/other")
    assert response.status_code == 202
    assert response.json()["reference"] == "acme/other"
    assert client.get("/api/v1/resolve/acme/alias").json()["tag"] == "acme/board"
    assert point(put, "acme/alias", "acme/other").status_code == 202
    text = tokens.issue_token(
        bob, label="c", scopes={Scope.ADMIN}, pattern="acme", actor=Actor.operator(bob)
    )
    headers = {"Authorization": f"Bearer {text}"}
    response = point(put, "acme/alias", "acme/other", **headers)
    assert response.status_code == 200
    assert client.get("/api/v1/resolve/acme/alias").json()["tag"] == "acme/other"
