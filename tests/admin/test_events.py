"""Tests of the event log in the admin."""

from datetime import UTC, datetime, timedelta

import pytest

from registry.domain.reference import Reference
from registry.models import Event, Namespace
from registry.services.core.permissions import Actor
from registry.services.core.request_ids import request_context
from registry.services.namespaces import namespaces
from registry.services.tags import aliases
from tests.admin.conftest import AdminClient, last_event
from tests.publishing import publish

pytestmark = pytest.mark.usefixtures("acme")

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
LIST = "registry/event/"


@pytest.fixture
def repointed(superuser: AdminClient) -> Event:
    """The event of an alias whose target was changed, in a request with an id."""
    publish("acme/a", BOARD)
    publish("acme/b", BOARD | {"num-cores": 2})
    with request_context("request-1234"):
        for name in ("acme/a", "acme/b"):
            aliases.point_alias(
                "acme/plank", Reference.parse(name), actor=Actor.operator(superuser.user)
            )
    return last_event()


def test_event_shows_old_and_new_value_actor_and_request(
    staff: AdminClient, repointed: Event
) -> None:
    page = staff.get(f"{LIST}{repointed.pk}/change/")
    assert "Value Before After points at acme/a acme/b" in page.text
    assert "By boss" in page.text
    assert "Request request-1234" in page.text
    assert any(url.startswith("/admin/registry/name/") for url in page.links)


def test_pages_show_words_for_the_stored_action(staff: AdminClient, repointed: Event) -> None:
    page = staff.get(f"{LIST}{repointed.pk}/change/")
    assert "Action pointed the alias alias.pointed" in page.text
    (row, *_) = staff.get(LIST, action="alias.pointed").rows
    assert "pointed the alias" in row
    assert "alias.pointed" not in row


def test_user_text_is_escaped(staff: AdminClient, superuser: AdminClient, acme: Namespace) -> None:
    title = "<script>alert(1)</script>"
    namespaces.update_description(
        acme, title=title, description="", url="", actor=Actor.operator(superuser.user)
    )
    page = staff.get(f"{LIST}{last_event().pk}/change/")
    assert f"title Acme {title}" in page.text
    assert title not in page.html


def test_event_page_takes_four_queries(staff: AdminClient, repointed: Event) -> None:
    assert staff.get(f"{LIST}{repointed.pk}/change/").queries == 4  # session, account, event, row


def test_events_can_be_filtered_by_day(staff: AdminClient, repointed: Event) -> None:
    today = datetime.now(UTC).date()
    yesterday, tomorrow = today - timedelta(days=1), today + timedelta(days=1)
    assert len(staff.get(LIST, q="acme/plank", since=str(today), until=str(today)).rows) == 2
    assert staff.get(LIST, q="acme/plank", since=str(tomorrow)).rows == []
    assert staff.get(LIST, q="acme/plank", until=str(yesterday)).rows == []
    assert staff.get(LIST, until="9999-12-31").status == 200
    assert staff.get(LIST, since="0001-01-01").status == 200


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30", "2026-13-01", "'; --"])
def test_invalid_day_shows_an_error(staff: AdminClient, repointed: Event, text: str) -> None:
    page = staff.get(LIST, since=text)
    assert page.rows == []
    assert f"“{text}” is not a date such as 2026-11-21." in page.text


def test_events_can_be_filtered_by_action_namespace_and_actor(
    staff: AdminClient, repointed: Event
) -> None:
    filters = {"action": "alias.pointed", "namespace": "acme", "actor": "boss"}
    assert len(staff.get(LIST, **filters).rows) == 2
    assert staff.get(LIST, **filters | {"actor": "staff"}).rows == []


@pytest.mark.parametrize(
    ("path", "status"), [("{}/change/", 403), ("{}/delete/", 403), ("add/", 403)]
)
def test_the_log_is_read_only(
    superuser: AdminClient, repointed: Event, path: str, status: int
) -> None:
    before = list(Event.objects.values())
    answer = superuser.post(LIST + path.format(repointed.pk), detail="{}", post="yes")
    assert answer.status == status
    assert list(Event.objects.values()) == before
