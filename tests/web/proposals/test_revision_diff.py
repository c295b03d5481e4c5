"""Two revisions of a proposal beside each other."""

import pytest

from tests.publishing import publish, yank
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db


def test_what_was_written_anew_stands_line_by_line_and_leaf_by_leaf(
    visit: Visitor, propose: Propose
) -> None:
    made = propose(message="<b>First</b>")
    revise(made, BOARD | {"num-cores": 8}, message="Second", sources=["https://example.org/b"])
    page = visit(f"/proposals/{made.pk}/changes/1...2")
    assert page.status == 200
    assert '\N{MINUS SIGN} "num-cores": 4 + "num-cores": 8' in page.text
    assert "≠ changed /num-cores 4" in page.text
    assert "&lt;b&gt;First" in page.html
    assert "https://example.org/b" in page.text
    assert f"/proposals/{made.pk}/changes/2...1" in page.links


def test_same_revision_twice_has_nothing_new(visit: Visitor, propose: Propose) -> None:
    made = propose()
    page = visit(f"/proposals/{made.pk}/changes/1...1")
    assert "Message, sources and base are unchanged." in page.text
    assert "Both revisions currently resolve to the same target." in page.text


def test_values_are_not_compared_where_one_is_invalid_today(
    visit: Visitor, propose: Propose
) -> None:
    publish("acme/base", BOARD)
    made = propose("acme/child", {"tag": "acme/base@1.0.0", "num-cores": 8})
    revise(made, BOARD)
    yank("acme/base@1.0.0")
    page = visit(f"/proposals/{made.pk}/changes/1...2")
    assert "Values are not compared: revision 1 is currently invalid." in page.text


def test_unknown_revision_is_404_and_says_which_there_are(visit: Visitor, propose: Propose) -> None:
    made = propose()
    page = visit(f"/proposals/{made.pk}/changes/1...9")
    assert page.status == 404
    assert "has no revision 9: it has 1 to 1." in page.text
    assert visit(f"/proposals/{made.pk}/changes/1...{'9' * 30}").status == 404


def test_number_of_queries_does_not_grow(visit: Visitor, propose: Propose) -> None:
    made = propose()
    for at in range(4):
        revise(made, BOARD | {"num-cores": 40 + at})
    near, far = (visit(f"/proposals/{made.pk}/changes/1...{new}") for new in (2, 5))
    assert near.queries == far.queries <= 12
