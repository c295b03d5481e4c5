"""Feeds of proposals."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.web.events.test_feeds import entries, read, text
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db

QUEUE = "/namespaces/acme/proposals.atom"


def test_queue_tells_of_each_proposal_the_last_moved_first(
    client: Client, propose: Propose, carol: User
) -> None:
    first, second = propose("acme/one"), propose("acme/two")
    review.request_changes(first.pk, seen=1, text="More.", actor=Actor.operator(carol))
    feed = read(client, QUEUE)
    one, two = entries(feed)
    assert text(one, "a:title") == f"Proposal {first.pk} for acme/one: changes requested"
    assert text(two, "a:title") == f"Proposal {second.pk} for acme/two: open"
    assert text(one, "a:author/a:name") == "bob"
    assert text(feed, "a:updated") == text(one, "a:updated") > text(one, "a:published")


def test_proposal_tells_of_each_turn(client: Client, propose: Propose, carol: User) -> None:
    made = propose()
    review.comment(made.pk, text="<b>&\nodd \ufffe", actor=Actor.operator(carol))
    feed = read(client, f"/proposals/{made.pk}.atom")
    said, submitted = entries(feed)
    assert text(said, "a:title") == "carol commented: revision 1"
    assert "&lt;b&gt;&amp;<br>odd \ufffd" in text(said, "a:summary")
    assert text(submitted, "a:title") == "bob submitted: revision 1"
    link = said.find("{http://www.w3.org/2005/Atom}link")
    assert link is not None
    assert link.get("href") == f"http://testserver/proposals/{made.pk}#turn-2"


def test_ids_are_the_same_under_every_name(client: Client, propose: Propose) -> None:
    made = propose()
    for path in (QUEUE, f"/proposals/{made.pk}.atom"):
        here, there = (read(client, path, host=host) for host in ("testserver", "localhost"))
        ids = [[text(each, "a:id") for each in (feed, *entries(feed))] for feed in (here, there)]
        assert ids[0] == ids[1]
        assert len(set(ids[0])) == 2


def test_empty_queue_is_a_feed(client: Client, propose: Propose) -> None:
    assert entries(read(client, QUEUE)) == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/namespaces/acmee/proposals.atom", 404), ("/proposals/99999.atom", 404)],
)
@pytest.mark.usefixtures("acme")
def test_what_there_is_not_is_a_page(client: Client, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_number_of_queries_does_not_grow(client: Client, propose: Propose) -> None:
    def asked() -> list[int]:
        counts = []
        for path in (QUEUE, f"/proposals/{made.pk}.atom"):
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        return counts

    made = propose()
    assert asked() == [3, 3]
    for at in range(4):
        propose(f"acme/board-{at}")
        revise(made, BOARD | {"num-cores": 40 + at})
    assert asked() == [3, 3]
