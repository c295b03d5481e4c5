"""The comparison of two revisions of a proposal."""

import pytest

from tests.publishing import publish, yank
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db


def test_changes_are_shown_by_line_and_by_value(visit: Visitor, propose: Propose) -> None:
    proposal = propose(message="<b>First</b>")
    revise(proposal, BOARD | {"num-cores": 8}, message="Second", sources=["https://example.org/b"])
    page = visit(f"/proposals/{proposal.pk}/changes/1...2")
    assert page.status == 200
    assert '\N{MINUS SIGN} "num-cores": 4 + "num-cores": 8' in page.text
    assert "≠ changed /num-cores 4" in page.text
    assert "&lt;b&gt;First" in page.html
    assert "https://example.org/b" in page.text
    assert f"/proposals/{proposal.pk}/changes/2...1" in page.links


def test_revision_compared_with_itself_has_no_changes(visit: Visitor, propose: Propose) -> None:
    proposal = propose()
    page = visit(f"/proposals/{proposal.pk}/changes/1...1")
    assert "Message, sources and base are unchanged." in page.text
    assert "Both revisions currently resolve to the same target." in page.text


def test_values_are_not_compared_if_a_revision_is_invalid(visit: Visitor, propose: Propose) -> None:
    publish("acme/base", BOARD)
    proposal = propose("acme/child", {"tag": "acme/base@1.0.0", "num-cores": 8})
    revise(proposal, BOARD)
    yank("acme/base@1.0.0")
    page = visit(f"/proposals/{proposal.pk}/changes/1...2")
    assert "Values are not compared: revision 1 is currently invalid." in page.text


def test_unknown_revision_is_404_and_names_the_existing_ones(
    visit: Visitor, propose: Propose
) -> None:
    proposal = propose()
    page = visit(f"/proposals/{proposal.pk}/changes/1...9")
    assert page.status == 404
    assert "has no revision 9: it has 1 to 1." in page.text
    assert visit(f"/proposals/{proposal.pk}/changes/1...{'9' * 30}").status == 404


def test_query_count_is_constant(visit: Visitor, propose: Propose) -> None:
    proposal = propose()
    for number in range(4):
        revise(proposal, BOARD | {"num-cores": 40 + number})
    adjacent, distant = (visit(f"/proposals/{proposal.pk}/changes/1...{new}") for new in (2, 5))
    assert adjacent.queries == distant.queries <= 12
