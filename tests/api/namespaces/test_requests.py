"""Requests for namespaces over the API: read and commented on, not made."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from registry.models import User
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import requests
from tests.api.problems import problem
from tests.requests import TEXTS, claim, request_namespace

pytestmark = pytest.mark.django_db
PATH = "/api/v1/namespace-requests"


@pytest.fixture(autouse=True)
def numbers(alice: User) -> list[int]:
    """Return the numbers of a rejected request and of an open claim, both Alice's."""
    rejected, open_claim = request_namespace("initech", alice), claim("arm", alice)
    boss = User.objects.create_user("boss", is_staff=True)
    requests.reject(rejected.pk, text="Who are you?", actor=Actor(boss))
    return [rejected.pk, open_claim.pk]


def names(client: Client, query: str = "") -> list[str]:
    data: Any = client.get(f"{PATH}{query}").json()
    return [row["name"] for row in data["results"]]


def test_request_has_its_decision(client: Client, numbers: list[int]) -> None:
    data = client.get(f"{PATH}/{numbers[0]}").json()
    assert data.pop("created") <= data.pop("decided")
    assert data == {
        "number": numbers[0],
        "page": f"/namespace-requests/{numbers[0]}",
        "kind": "new",
        "name": "initech",
        "title": "Initech",
        **TEXTS,
        "requester": "alice",
        "state": "rejected",
        "decision": "Who are you?",
        "decider": "boss",
    }


def test_open_request_has_no_decision(client: Client, numbers: list[int]) -> None:
    data = client.get(f"{PATH}/{numbers[1]}").json()
    nothing = {"title": None, "decision": None, "decider": None, "decided": None}
    assert {name: data[name] for name in nothing} == nothing


def test_list_has_open_requests_unless_filtered(client: Client) -> None:
    assert names(client) == ["arm"]
    assert names(client, "?state=all&requester=alice") == ["initech", "arm"]
    assert names(client, "?state=rejected&name=initech") == ["initech"]
    assert names(client, "?state=all&requester=nobody") == []


def test_pages_link_to_the_next(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PAGE", 1)
    first = client.get(f"{PATH}?state=all").json()
    second = client.get(first["next"]).json()
    assert [row["name"] for row in (*first["results"], *second["results"])] == ["initech", "arm"]
    assert second["next"] is None


def test_unknown_state_is_rejected(client: Client) -> None:
    problem(client.get(f"{PATH}?state=lost"), "FILTER_INVALID")


@pytest.mark.parametrize("number", ["0", "x", "999999", "9" * 30, "%00"])
def test_unknown_number_is_rejected(client: Client, number: str) -> None:
    problem(client.get(f"{PATH}/{number}"), "NAMESPACE_REQUEST_UNKNOWN")


def test_requests_cannot_be_made_with_a_token(client: Client) -> None:
    problem(client.post(PATH, {}, "application/json"), "METHOD_NOT_ALLOWED")


@pytest.fixture
def comment(client: Client, alice: User) -> Callable[..., Any]:
    """Return a function that comments with a token, which may propose under any name."""
    text = tokens.issue_token(
        alice, label="c", scopes={Scope.PROPOSE}, pattern="*", actor=Actor.operator(alice)
    )

    def send(number: object, body: dict[str, Any], **headers: str) -> Any:
        path, data = f"{PATH}/{number}/comment", json.dumps(body)
        headers |= {"Authorization": f"Bearer {text}"}
        return client.post(path, data, "application/json", headers=headers)

    return send


def comments(client: Client, number: int) -> list[str]:
    return [row["text"] for row in client.get(f"{PATH}/{number}/comments").json()["results"]]


def test_comment_is_added_and_listed(
    client: Client, comment: Callable[..., Any], numbers: list[int]
) -> None:
    response = comment(numbers[1], {"text": "It is ours."}, **{"Idempotency-Key": "k"})
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    data = response.json()
    assert data.pop("at")
    assert data == {"by": "alice", "text": "It is ours."}
    comment(numbers[1], {"text": "It is ours."}, **{"Idempotency-Key": "k"})
    assert comments(client, numbers[1]) == ["It is ours."]
    assert comments(client, numbers[0]) == []


def test_comments_have_pages(
    client: Client, comment: Callable[..., Any], numbers: list[int]
) -> None:
    for text in ("one", "two", "three"):
        comment(numbers[1], {"text": text})
    page = client.get(f"{PATH}/{numbers[1]}/comments?limit=2").json()
    assert [row["text"] for row in page["results"]] == ["one", "two"]
    assert [row["text"] for row in client.get(page["next"]).json()["results"]] == ["three"]


@pytest.mark.parametrize(
    ("index", "body", "code"),
    [
        (0, {"text": "x"}, "CONFLICT"),  # it is rejected
        (1, {"text": " "}, "REQUEST_INVALID"),
        (1, {"text": "x" * 4001}, "REQUEST_INVALID"),
        (1, {}, "REQUEST_INVALID"),
        (1, {"text": "x", "state": "accepted"}, "REQUEST_INVALID"),
    ],
)
def test_invalid_comment_is_refused(
    comment: Callable[..., Any], numbers: list[int], index: int, body: dict[str, Any], code: str
) -> None:
    problem(comment(numbers[index], body), code)
    assert comments(Client(), numbers[index]) == []


@pytest.mark.parametrize("number", ["0", "999", "x", "9" * 30])
def test_comments_on_nothing_are_unknown(
    client: Client, comment: Callable[..., Any], number: str
) -> None:
    problem(client.get(f"{PATH}/{number}/comments"), "NAMESPACE_REQUEST_UNKNOWN")
    problem(comment(number, {"text": "x"}), "NAMESPACE_REQUEST_UNKNOWN")
    anonymous = client.post(f"{PATH}/{number}/comment", "{}", "application/json")
    problem(anonymous, "UNAUTHENTICATED")
