"""GET and PUT of the README of a namespace."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from registry.models import Namespace, Readme, Role, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from tests.api.problems import problem

pytestmark = pytest.mark.django_db

PATH = "/api/v1/namespaces/acme/readme"
Put = Callable[..., Any]


@pytest.fixture
def put(client: Client, acme: Namespace, alice: User) -> Put:
    """Return a function that writes the README with a token, an owner's unless stated."""

    def send(body: Any, by: User = alice, scope: Scope = Scope.ADMIN, pattern: str = "acme") -> Any:
        text = tokens.issue_token(
            by, label="c", scopes={scope}, pattern=pattern, actor=Actor.operator(by)
        )
        headers = {"Authorization": f"Bearer {text}"}
        return client.put(PATH, json.dumps(body), "application/json", headers=headers)

    return send


def test_readme_is_written_and_read(put: Put, client: Client) -> None:
    response = put({"text": "# Boards\r\n", "revision": 0})
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    data = response.json()
    assert data.pop("created")
    assert data == {"revision": 1, "text": "# Boards", "author": "alice"}
    put({"text": "", "revision": 1})
    assert client.get(PATH).json()["text"] == ""
    assert client.get(f"{PATH}/1").json()["text"] == "# Boards"


def test_client_learns_that_nothing_has_changed(put: Put, client: Client) -> None:
    put({"text": "a", "revision": 0})
    first = client.get(PATH)
    again = {"If-None-Match": first["ETag"]}
    assert client.get(PATH, headers=again).status_code == 304
    put({"text": "b", "revision": 1})
    assert client.get(PATH, headers=again).status_code == 200


def test_text_of_others_is_not_replaced_unseen(put: Put) -> None:
    put({"text": "a", "revision": 0})
    problem(put({"text": "b", "revision": 0}), "PRECONDITION_FAILED")
    assert put({"text": "a", "revision": 0}).json()["revision"] == 1  # sent again


@pytest.mark.parametrize(
    "body",
    [
        {"revision": 0},  # which would remove it
        {"text": "a"},
        {"text": None, "revision": 0},
        {"text": "a", "revision": -1},
        {"text": "a", "revision": 0.5},
        {"text": "a", "revision": "0"},
        {"text": "a", "revision": True},
        {"text": "a", "revision": 0, "author": "bob"},
        {"text": "x" * 8001, "revision": 0},
        {"text": "\u202ea", "revision": 0},
        {"text": "&#x202E;", "revision": 0},
        {"text": ">" * 7, "revision": 0},
    ],
)
def test_invalid_requests_write_nothing(put: Put, body: dict[str, Any]) -> None:
    problem(put(body), "REQUEST_INVALID")
    assert not Readme.objects.exists()


def test_only_owners_write(put: Put, acme: Namespace, alice: User) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor(alice))
    body = {"text": "a", "revision": 0}
    problem(put(body, by=bob), "FORBIDDEN")
    problem(put(body, scope=Scope.PUBLISH), "FORBIDDEN")
    problem(put(body, pattern="acme/boards/*"), "FORBIDDEN")
    assert not Readme.objects.exists()


@pytest.mark.parametrize("path", ["", "/1", "/0", "/01", "/x", "/", "/99999999999999999999"])
def test_what_was_never_written_is_unknown(client: Client, acme: Namespace, path: str) -> None:
    problem(client.get(f"{PATH}{path}"), "README_UNKNOWN")


def test_nothing_is_removed_where_nothing_is(put: Put) -> None:
    problem(put({"text": "", "revision": 0}), "README_UNKNOWN")


def test_unknown_namespace(client: Client, db: None) -> None:
    for path in ("", "/1"):
        problem(client.get(f"/api/v1/namespaces/acne/readme{path}"), "NAMESPACE_UNKNOWN")
    response = client.put("/api/v1/namespaces/acne/readme", "{}", "application/json")
    problem(response, "UNAUTHENTICATED")
