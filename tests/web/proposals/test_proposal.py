"""The page of a proposal."""

import re

import pytest
from django.test import Client

from registry.models import Namespace, Policy, User
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from tests.publishing import publish, yank
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db


def test_page_says_what_it_would_do(visit: Visitor, propose: Propose, carol: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/kit", {"tag": "acme/board"})
    made = propose(
        body=BOARD | {"num-cores": 8},
        message="See https://example.org/a?b=1&c=2.\nThanks",
        sources=["https://example.org/board.pdf"],
    )
    page = visit(f"/proposals/{made.pk}")
    assert page.status == 200
    assert "○ open" in page.text
    assert "Reviewers alice, carol" in page.text
    assert "MAJOR : some tuning records no longer match" in page.text
    assert "Next version 2.0.0 after 1.0.0" in page.text
    assert re.search(r"≠ changed /num-cores 4 4 cores own 8 8 cores own", page.text)
    assert "1 tag would change" in page.text
    assert "https://example.org/a?b=1&amp;c=2" in page.links
    assert "https://example.org/board.pdf" in page.links
    assert f"/api/v1/proposals/{made.pk}" in page.links
    assert f"/proposals/{made.pk}.atom" in page.links
    assert "/tags/acme/board" in page.links


def test_near_duplicate_is_named_with_what_differs(visit: Visitor, propose: Propose) -> None:
    publish("acme/board", BOARD)
    made = propose("acme/copy", BOARD | {"num-cores": 8})
    text = visit(f"/proposals/{made.pk}").text
    assert "Same as acme/board@1.0.0 except /num-cores ." in text
    assert "the first version of a new tag" in text


def test_fault_stands_with_its_pointer_and_what_was_expected(
    visit: Visitor, propose: Propose
) -> None:
    publish("acme/base", BOARD)
    made = propose("acme/child", {"tag": "acme/base@1.0.0", "num-cores": 8})
    yank("acme/base@1.0.0")
    text = visit(f"/proposals/{made.pk}").text
    assert "✕ Currently invalid" in text
    assert re.search(r"▲ (/tag )?[^▲]*yanked", text), text


def test_moved_tag_waits_for_its_submitter(visit: Visitor, propose: Propose) -> None:
    made = propose()
    publish("acme/board", BOARD | {"num-cores": 2})
    text = visit(f"/proposals/{made.pk}").text
    assert "acme/board has moved: 1.0.0 is its most recently published version" in text
    assert "bob must revise it" in text


def test_history_stands_in_order_and_texts_as_text(
    visit: Visitor, propose: Propose, carol: User
) -> None:
    made = propose(message="<script>alert(1)</script>")
    said = "<img src=x> javascript:alert(1) http://example.org https://example.org/x."
    review.comment(made.pk, text=said, actor=Actor.operator(carol))
    review.request_changes(made.pk, seen=1, text="More cores?", actor=Actor.operator(carol))
    revise(made, BOARD | {"num-cores": 8}, text="Yes.")
    page = visit(f"/proposals/{made.pk}")
    turns = page.text.partition("History")[2]
    order = ["bob submitted", "carol commented", "carol requested changes", "bob revised"]
    assert [turns.index(each) for each in order] == sorted(turns.index(each) for each in order)
    assert "<img" not in page.html.partition("<main ")[2]
    assert "<script>alert" not in page.html
    assert "https://example.org/x" in page.links
    assert not any(link.startswith(("javascript:", "http://")) for link in page.links)
    assert f"/proposals/{made.pk}/changes/1...2" in page.links


def offered(client: Client, number: int) -> set[str]:
    html = client.get(f"/proposals/{number}").content.decode()
    links = re.findall(rf'href="/proposals/{number}/([a-z]+)"', html)
    forms = re.findall(rf'action="/proposals/{number}/([a-z]+)"', html)
    return {*links, *forms} | ({"revise"} if f"/submit?proposal={number}" in html else set())


def test_what_is_offered_goes_by_rights(
    client: Client, propose: Propose, carol: User, bob: User
) -> None:
    made = propose()
    assert offered(client, made.pk) == set()
    for user, acts in (
        (User.objects.create_user("dave"), {"comment"}),
        (bob, {"comment", "revise", "withdraw"}),
        (carol, {"comment", "accept", "ask", "reject"}),
    ):
        client.force_login(user)
        assert offered(client, made.pk) == acts
    review.reject(made.pk, seen=1, text="No.", actor=Actor.operator(carol))
    assert offered(client, made.pk) == {"comment"}


def test_own_is_not_offered_for_acceptance_where_four_eyes_look(
    client: Client, propose: Propose, carol: User, acme: Namespace
) -> None:
    made = propose(actor=Actor.operator(carol))
    client.force_login(carol)
    assert "accept" in offered(client, made.pk)
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    assert "accept" not in offered(client, made.pk)


def test_accepted_leads_to_its_version(visit: Visitor, propose: Propose, carol: User) -> None:
    made = propose()
    review.accept(made.pk, seen=1, actor=Actor.operator(carol))
    page = visit(f"/proposals/{made.pk}")
    assert "Published as acme/board@1.0.0" in page.text
    assert "/tags/acme/board@1.0.0" in page.links
    assert "Checked against" not in page.text


@pytest.mark.parametrize("number", ["0", "999", "9" * 30])
@pytest.mark.parametrize("rest", ["", ".atom", "/changes/1...2"])
def test_unknown_number_is_404(visit: Visitor, number: str, rest: str) -> None:
    assert visit(f"/proposals/{number}{rest}").status == 404


def test_page_is_kept_by_the_browser_alone(client: Client, propose: Propose) -> None:
    made = propose()
    first = client.get(f"/proposals/{made.pk}")
    assert "private" in first["Cache-Control"]
    again = client.get(f"/proposals/{made.pk}", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert client.post(f"/proposals/{made.pk}").status_code == 405


def test_number_of_queries_does_not_grow(visit: Visitor, propose: Propose, carol: User) -> None:
    made = propose(body=BOARD)
    one = visit(f"/proposals/{made.pk}").queries
    for at in range(6):
        review.comment(made.pk, text=f"{at}", actor=Actor.operator(carol))
        revise(made, BOARD | {"num-cores": 40 + at})
    assert visit(f"/proposals/{made.pk}").queries == one
