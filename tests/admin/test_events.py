"""The audit trail: what changed from what into what, by whom, in which request; read-only."""

from datetime import UTC, datetime, timedelta

import pytest

from registry.domain.reference import Reference
from registry.models import Event, Namespace
from registry.services.core.permissions import Actor
from registry.services.core.request_ids import request_context
from registry.services.namespaces import namespaces
from registry.services.tags import aliases
from tests.admin.conftest import Desk, last_event
from tests.publishing import publish

pytestmark = pytest.mark.usefixtures("acme")

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
LIST = "registry/event/"


@pytest.fixture
def repointed(desk: Desk) -> Event:
    """An alias pointed elsewhere, in a request with an id."""
    publish("acme/a", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    with request_context("request-1234"):
        for name in ("acme/a", "acme/b"):
            aliases.point_alias(
                "acme/plank", Reference.parse(name), actor=Actor.operator(desk.user)
            )
    return last_event()


def test_an_event_shows_both_sides_who_and_in_which_request(clerk: Desk, repointed: Event) -> None:
    page = clerk.see(f"{LIST}{repointed.pk}/change/")
    assert "What Before After points at acme/a acme/b" in page.text
    assert "By boss" in page.text
    assert "Request request-1234" in page.text
    assert any(url.startswith("/admin/registry/name/") for url in page.links)


def test_texts_of_people_are_texts(clerk: Desk, desk: Desk, acme: Namespace) -> None:
    title = "<script>alert(1)</script>"
    namespaces.update_description(
        acme, title=title, description="", url="", actor=Actor.operator(desk.user)
    )
    page = clerk.see(f"{LIST}{last_event().pk}/change/")
    assert f"title Acme {title}" in page.text
    assert title not in page.html


def test_an_event_takes_no_more_queries_than_its_subject(clerk: Desk, repointed: Event) -> None:
    assert clerk.see(f"{LIST}{repointed.pk}/change/").queries == 4  # session, account, event, row


def test_events_are_narrowed_to_days(clerk: Desk, repointed: Event) -> None:
    today = datetime.now(UTC).date()
    yesterday, tomorrow = today - timedelta(days=1), today + timedelta(days=1)
    assert len(clerk.see(LIST, q="acme/plank", since=str(today), until=str(today)).rows) == 2
    assert clerk.see(LIST, q="acme/plank", since=str(tomorrow)).rows == []
    assert clerk.see(LIST, q="acme/plank", until=str(yesterday)).rows == []
    assert clerk.see(LIST, until="9999-12-31").status == 200
    assert clerk.see(LIST, since="0001-01-01").status == 200


@pytest.mark.parametrize("typed", ["yesterday", "2026-02-30", "2026-13-01", "'; --"])
def test_what_is_no_day_is_said_to_be_none(clerk: Desk, repointed: Event, typed: str) -> None:
    page = clerk.see(LIST, since=typed)
    assert page.rows == []
    assert f"Not {typed}: expected a day as in 2026-11-21." in page.text


def test_events_are_narrowed_by_action_namespace_and_who(clerk: Desk, repointed: Event) -> None:
    asked = {"action": "alias.pointed", "namespace": "acme", "actor": "boss"}
    assert len(clerk.see(LIST, **asked).rows) == 2
    assert clerk.see(LIST, **asked | {"actor": "clerk"}).rows == []


@pytest.mark.parametrize(
    ("path", "status"), [("{}/change/", 405), ("{}/delete/", 403), ("add/", 403)]
)
def test_the_log_is_read_only(desk: Desk, repointed: Event, path: str, status: int) -> None:
    before = list(Event.objects.values())
    answer = desk.send(LIST + path.format(repointed.pk), detail="{}", post="yes")
    assert answer.status == status
    assert list(Event.objects.values()) == before
