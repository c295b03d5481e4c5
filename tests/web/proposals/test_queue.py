"""The queue of proposals."""

import html
import re

import pytest

from registry.models import User
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.publishing import publish, yank
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db


def test_undecided_proposals_are_listed_oldest_first_with_their_next_version(
    visit: Visitor, propose: Propose, carol: User
) -> None:
    publish("acme/board", BOARD)
    publish("acme/kit", {"tag": "acme/board"})
    propose("acme/board", BOARD | {"num-cores": 8})
    propose("acme/new")
    rejected = propose("acme/rejected")
    review.reject(rejected.pk, seen=1, text="There is one.", actor=Actor.operator(carol))
    page = visit("/proposals/")
    assert page.status == 200
    assert re.search(r"acme/board 2\.0\.0, MAJOR 0 1 bob ○ open just now .*acme/new", page.text)
    assert "new tag, 1.0.0" in page.text
    assert "acme/rejected" not in page.text
    assert "never closed for inactivity" in page.text
    assert re.search(r"undecided 2 open 2 .* rejected 1 withdrawn 0 all 3", page.text)


def test_reason_that_blocks_a_proposal_is_shown(
    visit: Visitor, propose: Propose, alice: User
) -> None:
    publish("acme/base", BOARD)
    propose("acme/moving")
    publish("acme/moving", BOARD | {"num-cores": 2})
    propose("acme/child", {"tag": "acme/base@1.0.0", "num-cores": 8})
    yank("acme/base@1.0.0")
    text = visit("/proposals/").text
    assert "▲ tag has moved: needs a revision" in text
    assert "▲ invalid: " in text


def test_decided_proposals_show_their_version(
    visit: Visitor, propose: Propose, carol: User
) -> None:
    proposal = propose()
    review.accept(proposal.pk, seen=1, actor=Actor.operator(carol))
    page = visit("/proposals/?state=accepted")
    assert "published as 1.0.0" in page.text
    assert "/tags/acme/board@1.0.0" in page.links
    assert "✓ accepted" in page.text


def test_filters_are_links_with_counts_and_chips_that_remove_them(
    visit: Visitor, propose: Propose
) -> None:
    propose()
    propose("nvidia/board")
    page = visit("/proposals/?namespace=acme&submitter=bob")
    assert "nvidia/board" not in page.text
    links = [html.unescape(link) for link in page.links]
    assert "/proposals/?submitter=bob" in links
    assert "/proposals/?namespace=acme" in links
    assert "/proposals/?namespace=acme&submitter=bob&state=all" in links
    assert "/proposals/?submitter=bob&namespace=nvidia" in links
    assert re.search(r"acme 1 +nvidia 1", page.text)
    assert "/api/v1/proposals?namespace=acme&submitter=bob" in links
    assert "/namespaces/acme/proposals.atom" in links


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "Nothing to review"),
        ("?state=withdrawn", "No proposal is in this state"),
        ("?tag=acme/none", "No proposal matches these filters"),
        ("?tag=%00%1b", "No proposal matches these filters"),
        ("?submitter=%3Cscript%3E", "No proposal matches these filters"),
    ],
)
def test_empty_lists_explain_what_to_do(visit: Visitor, query: str, message: str) -> None:
    page = visit(f"/proposals/{query}")
    assert page.status == 200
    assert message in page.text
    assert "<script>" not in page.html.partition("<main ")[2]


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ("state=lost", 400, "expected one of undecided, open"),
        ("namespace=acmee", 404, "There is no namespace acmee."),
        ("namespace=%00", 404, "There is no namespace"),
        ("cursor=nonsense", 400, "was not issued"),
        ("state=%3Cb%3E", 400, "is not valid: expected one of"),
    ],
)
@pytest.mark.usefixtures("acme")
def test_invalid_filters_are_kept_with_their_error(
    visit: Visitor, query: str, status: int, message: str
) -> None:
    page = visit(f"/proposals/?{query}&tag=acme/board")
    assert page.status == status
    assert message in page.text
    assert 'name="tag" value="acme/board"' in page.html
    assert "<b>" not in page.html.partition('class="term-text"')[0]
    if "acmee" in query:
        assert "/proposals/?namespace=acme&amp;tag=acme%2Fboard" in page.links


def test_pages_are_linked(
    visit: Visitor, propose: Propose, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        propose(f"acme/board-{number}")
    monkeypatch.setattr(paging, "PAGE", 2)
    path, tags = "/proposals/", list[str]()
    while path:
        page = visit(path)
        tags += re.findall(r'<th scope="row"><a[^>]*>([^<]+)', page.html)
        link = re.search(r'rel="next" href="([^"]+)"', page.html)
        path = html.unescape(link[1]) if link else ""
    assert tags == [f"acme/board-{number}" for number in range(5)]


def test_query_count_is_constant(visit: Visitor, propose: Propose) -> None:
    propose("acme/board-0")
    expected = visit("/proposals/").queries
    for number in range(1, 6):
        proposal = propose(f"acme/board-{number}", BOARD | {"num-cores": number})
        revise(proposal, BOARD | {"num-cores": 40 + number})
    assert visit("/proposals/").queries == expected <= 14
