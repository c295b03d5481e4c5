"""Tests of GET events."""

import pytest
from django.test import Client

from registry.models import Namespace
from registry.services.core import paging
from registry.services.event_log.appending import last_event_number
from tests.api.problems import problem
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

EVENTS = "/api/v1/events"


def test_event_has_the_documented_shape(client: Client, acme: Namespace) -> None:
    seen = last_event_number()
    publish("acme/board", {"kind": "c"})
    yank("acme/board@1.0.0", "wrong figures")
    data = client.get(EVENTS, {"after": seen}).json()
    published, yanked = data["results"]
    created = yanked.pop("created")
    assert created.endswith("Z")
    assert yanked == {
        "number": seen + 2,
        "action": "version.yanked",
        "subject": "acme/board@1.0.0",
        "namespace": "acme",
        "actor": "alice",
        "detail": {"reason": "wrong figures", "before": "active", "after": "yanked"},
    }
    assert published["action"] == "version.published"
    assert data["next"] is None


def test_client_that_follows_the_log_misses_nothing(
    client: Client, acme: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = last_event_number()
    for cores in (1, 2, 3):
        publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "num-cores": cores})
    monkeypatch.setattr(paging, "PAGE", 2)
    first = client.get(f"{EVENTS}?after={seen}&namespace=acme").json()
    assert first["next"] == f"{EVENTS}?after={seen + 2}&namespace=acme"
    second = client.get(first["next"]).json()
    numbers = [event["number"] for event in (*first["results"], *second["results"])]
    assert numbers == [seen + 1, seen + 2, seen + 3]
    assert second["next"] is None
    assert client.get(EVENTS, {"after": numbers[-1]}).json() == {"results": [], "next": None}


def test_after_beyond_the_last_event_is_rejected(client: Client, acme: Namespace) -> None:
    last = last_event_number()
    error = problem(client.get(EVENTS, {"after": last + 1}), "FILTER_INVALID")
    assert f"the last one is {last}" in error["detail"]
    assert str(last) in error["errors"][0]["expected"]


@pytest.mark.parametrize("after", ["", "x", "-1", "+1", "1.0", "1e3", " 1", "٣", "1" + "0" * 30])
def test_invalid_number_is_rejected(client: Client, after: str) -> None:
    error = problem(client.get(EVENTS, {"after": after}), "FILTER_INVALID")
    assert error["errors"][0]["expected"]


def test_largest_number_is_accepted(client: Client, acme: Namespace) -> None:
    problem(client.get(EVENTS, {"after": "9" * 18}), "FILTER_INVALID")


@pytest.mark.parametrize("name", ["acmee", "", "\0", "Acme"])
def test_unknown_namespace_is_rejected(client: Client, acme: Namespace, name: str) -> None:
    problem(client.get(EVENTS, {"namespace": name}), "NAMESPACE_UNKNOWN")


@pytest.mark.parametrize("query", ["after=0&after=0", "namespace=acme&namespace=acme", "since=1"])
def test_unknown_parameter_is_rejected(client: Client, acme: Namespace, query: str) -> None:
    problem(client.get(f"{EVENTS}?{query}"), "REQUEST_INVALID")


def test_matching_etag_returns_304(client: Client, acme: Namespace) -> None:
    response = client.get(EVENTS)
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert client.get(EVENTS, headers={"If-None-Match": response["ETag"]}).status_code == 304
    head = client.head(EVENTS)
    assert (head.content, head["ETag"]) == (b"", response["ETag"])
