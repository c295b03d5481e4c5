"""Order and limits while the clock goes back: numbers decide, never times."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from registry.domain.reference import Reference
from registry.models import Token, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.events import event_feed, news, proposal_news
from registry.services.proposals import listing, review
from registry.services.versions import resolving
from tests.publishing import propose, publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


class Clock:
    """The time of the registry, which a test sets; it advances by a second with each reading."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time

    def go_back(self) -> None:
        self.time -= timedelta(hours=2)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def test_versions_and_events_are_ordered_by_number(clock: Clock) -> None:
    publish("acme/board", BOARD)
    clock.go_back()
    publish("acme/board", BOARD | {"num-cores": 8})
    assert resolving.resolve(Reference.parse("acme/board")).version.number.major == 2
    published = [
        event for event in event_feed.latest_events(namespace="acme").rows if "publ" in event.action
    ]
    assert [event.subject for event in published] == ["acme/board@2.0.0", "acme/board@1.0.0"]
    assert published[0].created < published[1].created


def test_news_end_with_the_last_change(clock: Clock) -> None:
    for cores in range(news.MAX_NEWS):
        publish(f"acme/board-{cores}", BOARD)
    clock.go_back()
    publish("acme/last", BOARD)
    items = news.namespace_news("acme").items
    assert len(items) == news.MAX_NEWS
    assert items[0].subject == "acme/last@1.0.0"


def test_token_is_marked_as_used(clock: Clock, alice: User) -> None:
    text = tokens.issue_token(
        alice, label="ci", scopes=[Scope.PUBLISH], pattern="acme", actor=Actor.operator(alice)
    )
    tokens.authenticate(text)
    clock.go_back()
    tokens.authenticate(text)
    assert Token.objects.get().last_used == clock.time


def test_proposals_are_ordered_by_their_last_turn(clock: Clock, alice: User) -> None:
    first, second = (propose(f"acme/{name}", BOARD) for name in ("first", "second"))
    clock.go_back()
    for proposal in (second, first):
        review.reject(proposal.pk, seen=1, text="No", actor=Actor.operator(alice))
    expected = [first.pk, second.pk]
    newest = proposal_news.namespace_proposal_news("acme").proposals
    assert [proposal.pk for proposal in newest] == expected
    assert [proposal.pk for proposal in listing.your_work(alice).decided] == expected
