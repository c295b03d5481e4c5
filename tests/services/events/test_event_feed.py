"""The public event feed."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import Event, Namespace, Role, User
from registry.services.accounts import tokens
from registry.services.core import paging
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.event_log.appending import last_event_number
from registry.services.events import event_feed
from registry.services.namespaces import members, namespaces
from registry.services.operations import redaction
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}


def actions(after: int, namespace: str | None = None) -> list[tuple[str, str]]:
    rows = event_feed.list_events(after=after, namespace=namespace).rows
    return [(event.action, event.subject) for event in rows]


def test_events_come_in_order_after_a_number(acme: Namespace) -> None:
    last = last_event_number()
    publish("acme/board", BOARD)
    yank("acme/board@1.0.0")
    rows = event_feed.list_events(after=last).rows
    assert [event.number for event in rows] == [last + 1, last + 2]
    assert actions(last) == [
        ("version.published", "acme/board@1.0.0"),
        ("version.yanked", "acme/board@1.0.0"),
    ]
    assert actions(last + 2) == []


def test_feed_starts_with_the_first_event(acme: Namespace) -> None:
    first = Event.objects.order_by("number").exclude(action__startswith="account.")[0]
    assert event_feed.list_events().rows[0].number == first.number


def test_feed_of_one_namespace(acme: Namespace, alice: User) -> None:
    last = last_event_number()
    namespaces.create_namespace("other", actor=Actor.operator(alice))
    publish("acme/board", BOARD)
    assert actions(last, "acme") == [("version.published", "acme/board@1.0.0")]
    assert actions(last, "other") == [("namespace.made", "other")]


@pytest.mark.parametrize("name", ["acmee", "", "a\0b"])
def test_unknown_namespace_is_rejected(acme: Namespace, name: str) -> None:
    with pytest.raises(Refused) as refused:
        event_feed.list_events(namespace=name)
    assert refused.value.code == Code.NAMESPACE_UNKNOWN


@pytest.mark.parametrize("request_id", ["\0", "1234567\0", "unknown-request"])
def test_request_that_has_written_nothing_has_no_events(acme: Namespace, request_id: str) -> None:
    """PostgreSQL compares no text with U+0000, which an address may have."""
    assert event_feed.list_events(request=request_id).rows == ()
    assert event_feed.latest_events(request=request_id).rows == ()


def test_account_and_token_events_are_private(acme: Namespace, alice: User) -> None:
    last = last_event_number()
    tokens.issue_token(
        alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
    )
    assert last_event_number() == last + 1
    assert actions(last) == []
    publish("acme/board", BOARD)
    assert actions(last) == [("version.published", "acme/board@1.0.0")]


def test_future_event_number_is_rejected(acme: Namespace) -> None:
    last = last_event_number()
    assert event_feed.list_events(after=last).rows == ()
    with pytest.raises(Refused) as refused:
        event_feed.list_events(after=last + 1)
    assert refused.value.code == Code.FILTER_INVALID
    assert f"the last one is {last}" in refused.value.detail


def test_granted_role_is_public(acme: Namespace, alice: User) -> None:
    last = last_event_number()
    members.grant_role(
        acme, User.objects.create_user("bob"), Role.MEMBER, actor=Actor.operator(alice)
    )
    (event,) = event_feed.list_events(after=last).rows
    assert event_feed.public_detail(event) == {"user": "bob", "role": "member", "before": None}


def test_redaction_is_public_without_primary_keys(acme: Namespace, alice: User) -> None:
    publish("acme/board", BOARD, message="call 555-1234")
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    last = last_event_number()
    redaction.redact("555-1234", reason="a number", actor=Actor.operator(alice))
    (event,) = event_feed.list_events(after=last).rows
    assert event.action == "text.redacted"
    assert event_feed.public_detail(event).keys() == {"reason", "digests"}


def test_pages_contain_every_event_once_in_order(
    acme: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish("acme/board", BOARD)
    expected = [event.number for event in Event.objects.order_by("number")]
    monkeypatch.setattr(paging, "PAGE", 50)
    numbers: list[int] = []
    after = 0
    while True:
        page = event_feed.list_events(after=after)
        numbers += [event.number for event in page.rows]
        if page.next_key is None:
            break
        (after,) = page.next_key
        assert after == numbers[-1]
    assert numbers == expected


def test_number_of_queries_does_not_depend_on_the_number_of_events(acme: Namespace) -> None:
    last = last_event_number()
    for after in (last, 0):
        with CaptureQueriesContext(connection) as captured:
            for event in event_feed.list_events(after=after).rows:
                assert event.actor.username
        assert len(captured) == 2
        with CaptureQueriesContext(connection) as captured:
            event_feed.list_events(after=after, namespace="acme")
        assert len(captured) == 3
