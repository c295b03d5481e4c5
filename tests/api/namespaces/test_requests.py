"""Requests for namespaces over the API: read, not made."""

from typing import Any

import pytest
from django.test import Client

from registry.models import User
from registry.services.core import paging
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
