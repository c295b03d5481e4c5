"""The page of the event log."""

import html
import re

import pytest

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Event, Namespace, Policy, User
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.core.request_ids import request_context
from registry.services.events import event_feed
from registry.services.namespaces import namespaces
from registry.services.tags import aliases, deprecation
from tests.publishing import publish
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, bob, propose

__all__ = ["bob", "propose"]  # fixtures

pytestmark = pytest.mark.django_db


def test_events_are_described_and_linked_newest_first(
    visit: Visitor, acme: Namespace, alice: User, propose: Propose
) -> None:
    publish("acme/board", BOARD)
    deprecation.deprecate(TagName.parse("acme/board"), reason="old", actor=Actor.operator(alice))
    aliases.point_alias("acme/Board", Reference.parse("acme/board"), actor=Actor.operator(alice))
    namespaces.set_policy(acme, Policy.CURATORS, actor=Actor.operator(alice))
    proposal = propose("acme/new")
    page = visit("/events")
    assert page.status == 200
    number = Event.objects.latest("number").number
    assert re.search(rf"{number} bob submitted a proposal for acme/new", page.text)
    for sentence in (
        "alice set the policy of acme from members to curators",
        "alice pointed the alias acme/Board at acme/board",
        "alice deprecated acme/board",
        "alice published acme/board@1.0.0",
        "alice granted a role in acme alice: owner",
    ):
        assert sentence in page.text
    assert f"/proposals/{proposal.pk}" in page.links
    assert "/tags/acme/board@1.0.0" in page.links
    assert f"/api/v1/events?after={number - 1}" in page.links


def test_events_are_filtered_by_namespace(visit: Visitor, acme: Namespace) -> None:
    publish("acme/board", BOARD)
    page = visit("/events?namespace=acme")
    assert "acme/board@1.0.0" in page.text
    assert "nvidia/" not in page.text
    assert "/api/v1/events?namespace=acme" in page.links


def test_events_are_found_by_the_id_of_their_request(visit: Visitor, acme: Namespace) -> None:
    """Who has the id from a response or an error page sees what it changed, and nothing else."""
    with request_context("0123456789abcdef"):
        publish("acme/board", BOARD)
    publish("acme/other", BOARD)
    page = visit("/events?request=0123456789abcdef")
    assert "acme/board@1.0.0" in page.text
    assert "acme/other" not in page.text
    assert "/api/v1/events?request=0123456789abcdef" in page.links
    results = visit.client.get("/api/v1/events?request=0123456789abcdef").json()["results"]
    assert [event["subject"] for event in results] == ["acme/board@1.0.0"]
    both = visit("/events?request=0123456789abcdef&namespace=nvidia")
    assert "acme/board" not in both.text


def test_a_request_without_public_events_is_said_to_have_changed_nothing(
    visit: Visitor, alice: User
) -> None:
    with request_context("fedcba9876543210"):
        tokens.issue_token(
            alice, label="x", scopes=["propose"], pattern="acme", actor=Actor.operator(alice)
        )
    for request in ("fedcba9876543210", "unknown", "<b>"):
        page = visit(f"/events?request={request}")
        assert page.status == 200
        assert "it changed nothing that is public" in page.text
        assert "<b>:" not in page.html
        assert "issued the token" not in page.text


def test_events_after_a_number_are_listed_oldest_first(visit: Visitor, acme: Namespace) -> None:
    last = Event.objects.latest("number").number
    publish("acme/board", BOARD)
    publish("acme/board", BOARD | {"num-cores": 8})
    text = visit(f"/events?after={last}").text
    assert text.index("acme/board@1.0.0") < text.index("acme/board@2.0.0")
    assert "There are no later events." in visit(f"/events?after={last + 2}").text


def test_pages_contain_every_event_once_in_both_directions(
    visit: Visitor, acme: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        publish(f"acme/board-{number}", BOARD)
    monkeypatch.setattr(paging, "PAGE", 2)
    numbers = {event.number for event in event_feed.list_events(namespace="acme").rows}
    for first_page in ("/events?namespace=acme", "/events?namespace=acme&after=0"):
        path, seen = first_page, list[int]()
        while path:
            page = visit(path)
            seen += map(int, re.findall(r'class="log-number"[^>]*>(\d+)', page.html))
            next_link = re.search(r'rel="next" href="([^"]+)"', page.html)
            path = html.unescape(next_link[1]) if next_link else ""
        assert seen == sorted(seen, reverse="after" not in first_page)
        assert numbers <= set(seen)
        assert len(seen) == 5


def test_private_events_are_hidden(visit: Visitor, alice: User, acme: Namespace) -> None:
    tokens.issue_token(
        alice, label="CI", scopes=["publish"], pattern="acme", actor=Actor.operator(alice)
    )
    assert Event.objects.latest("number").action == "token.issued"
    assert "token" not in visit("/events").text


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("after=x", 400, "is not an event number"),
        ("after=-1", 400, "is not an event number"),
        ("after=%D9%A1", 400, "is not an event number"),
        ("before=1e3", 400, "is not an event number"),
        ("after=" + "9" * 30, 400, "is not an event number"),
        ("after=99999999", 400, "Event 99999999 does not exist yet"),
        ("namespace=acmee", 404, "There is no namespace acmee."),
        ("namespace=%00", 404, "There is no namespace"),
        ("after=%3Cb%3E", 400, "is not an event number"),
    ],
)
@pytest.mark.usefixtures("acme")
def test_invalid_filter_is_reported_and_kept(
    visit: Visitor, query: str, status: int, message: str
) -> None:
    page = visit(f"/events?{query}")
    assert page.status == status
    assert message in page.text
    assert "<b>" not in page.html.partition("<main ")[2]
    if "acmee" in query:
        assert 'value="acmee"' in page.html
        assert "/events?namespace=acme" in page.links


def test_number_of_queries_does_not_grow(visit: Visitor, acme: Namespace) -> None:
    assert visit("/events?after=0").queries == 2
    assert visit("/events").queries == 1
