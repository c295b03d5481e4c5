"""Feeds of proposals."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.web.events.test_feeds import entries, fetch_feed, text
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db

QUEUE = "/namespaces/acme/proposals.atom"


def test_namespace_feed_lists_proposals_most_recently_changed_first(
    client: Client, propose: Propose, carol: User
) -> None:
    first, second = propose("acme/one"), propose("acme/two")
    review.request_changes(first.pk, seen=1, text="More.", actor=Actor.operator(carol))
    feed = fetch_feed(client, QUEUE)
    one, two = entries(feed)
    assert text(one, "a:title") == f"Proposal {first.pk} for acme/one: changes requested"
    assert text(two, "a:title") == f"Proposal {second.pk} for acme/two: open"
    assert text(one, "a:author/a:name") == "bob"
    assert text(feed, "a:updated") == text(one, "a:updated") > text(one, "a:published")


def test_proposal_feed_lists_turns(client: Client, propose: Propose, carol: User) -> None:
    proposal = propose()
    review.comment(proposal.pk, text="<b>&\nodd \ufffe", actor=Actor.operator(carol))
    feed = fetch_feed(client, f"/proposals/{proposal.pk}.atom")
    comment, submission = entries(feed)
    assert text(comment, "a:title") == "carol commented: revision 1"
    assert "&lt;b&gt;&amp;<br>odd \ufffd" in text(comment, "a:summary")
    assert text(submission, "a:title") == "bob submitted: revision 1"
    link = comment.find("{http://www.w3.org/2005/Atom}link")
    assert link is not None
    assert link.get("href") == f"http://testserver/proposals/{proposal.pk}#turn-2"


def test_ids_do_not_depend_on_the_host(client: Client, propose: Propose) -> None:
    proposal = propose()
    for path in (QUEUE, f"/proposals/{proposal.pk}.atom"):
        feeds = [fetch_feed(client, path, host=host) for host in ("testserver", "localhost")]
        ids = [[text(item, "a:id") for item in (feed, *entries(feed))] for feed in feeds]
        assert ids[0] == ids[1]
        assert len(set(ids[0])) == 2


def test_feed_without_proposals_is_valid(client: Client, propose: Propose) -> None:
    assert entries(fetch_feed(client, QUEUE)) == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/namespaces/acmee/proposals.atom", 404), ("/proposals/99999.atom", 404)],
)
@pytest.mark.usefixtures("acme")
def test_unknown_namespace_or_proposal_is_404(client: Client, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_query_count_is_constant(client: Client, propose: Propose) -> None:
    def query_counts() -> list[int]:
        counts = []
        for path in (QUEUE, f"/proposals/{proposal.pk}.atom"):
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        return counts

    proposal = propose()
    assert query_counts() == [3, 3]
    for number in range(4):
        propose(f"acme/board-{number}")
        revise(proposal, BOARD | {"num-cores": 40 + number})
    assert query_counts() == [3, 3]
