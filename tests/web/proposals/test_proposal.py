"""The page of a proposal."""

import re

import pytest
from django.test import Client

from registry.models import Membership, Namespace, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.proposals import review
from registry.web.proposals import review_checks
from tests.publishing import publish, yank
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import BOARD, Propose, revise

pytestmark = pytest.mark.django_db


def test_page_shows_checks_impact_and_links(visit: Visitor, propose: Propose, carol: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/kit", {"tag": "acme/board"})
    proposal = propose(
        body=BOARD | {"num-cores": 8},
        message="See https://example.org/a?b=1&c=2.\nThanks",
        sources=["https://example.org/board.pdf"],
    )
    page = visit(f"/proposals/{proposal.pk}")
    assert page.status == 200
    assert "○ open" in page.text
    assert "Reviewers alice , carol" in page.text
    assert "MAJOR : some tuning records no longer match" in page.text
    assert "Next version 2.0.0 after 1.0.0" in page.text
    assert re.search(r"≠ changed /num-cores 4 cores own 8 cores own", page.text)
    assert "1 tag would change" in page.text
    assert "https://example.org/a?b=1&amp;c=2" in page.links
    assert "https://example.org/board.pdf" in page.links
    assert f"/api/v1/proposals/{proposal.pk}" in page.links
    assert f"/proposals/{proposal.pk}.atom" in page.links
    assert "/tags/acme/board" in page.links


def test_near_duplicate_is_shown_with_its_differences(visit: Visitor, propose: Propose) -> None:
    publish("acme/board", BOARD)
    proposal = propose("acme/copy", BOARD | {"num-cores": 8})
    text = visit(f"/proposals/{proposal.pk}").text
    assert "Same as acme/board@1.0.0 except /num-cores ." in text
    assert "the first version of a new tag" in text


@pytest.mark.parametrize(("limit", "is_said"), [(2, False), (1, True)])
def test_near_duplicates_that_may_not_be_all_are_said_to_be_the_nearest(
    visit: Visitor, propose: Propose, monkeypatch: pytest.MonkeyPatch, limit: int, is_said: bool
) -> None:
    monkeypatch.setattr(review_checks, "MAX_RESULTS", limit)
    publish("acme/board", BOARD)
    page = visit(f"/proposals/{propose('acme/copy', BOARD | {'num-cores': 8}).pk}")
    assert ("No more than the nearest 1 are listed." in page.text) is is_said


def test_error_of_an_invalid_proposal_is_shown(visit: Visitor, propose: Propose) -> None:
    publish("acme/base", BOARD)
    proposal = propose("acme/child", {"tag": "acme/base@1.0.0", "num-cores": 8})
    yank("acme/base@1.0.0")
    text = visit(f"/proposals/{proposal.pk}").text
    assert "✕ Currently invalid" in text
    assert re.search(r"▲ (/tag )?[^▲]*yanked", text), text


def test_proposal_for_a_moved_tag_must_be_revised(visit: Visitor, propose: Propose) -> None:
    proposal = propose()
    publish("acme/board", BOARD | {"num-cores": 2})
    text = visit(f"/proposals/{proposal.pk}").text
    assert "acme/board has moved: 1.0.0 is its most recently published version" in text
    assert "bob must revise it" in text


def test_history_is_in_order_and_its_texts_are_escaped(
    visit: Visitor, propose: Propose, carol: User
) -> None:
    proposal = propose(message="<script>alert(1)</script>")
    text = "<img src=x> javascript:alert(1) http://example.org https://example.org/x."
    review.comment(proposal.pk, text=text, actor=Actor.operator(carol))
    review.request_changes(proposal.pk, seen=1, text="More cores?", actor=Actor.operator(carol))
    revise(proposal, BOARD | {"num-cores": 8}, text="Yes.")
    page = visit(f"/proposals/{proposal.pk}")
    turns = page.text.partition("History")[2]
    entries = ["bob submitted", "carol commented", "carol requested changes", "bob revised"]
    assert [turns.index(entry) for entry in entries] == sorted(map(turns.index, entries))
    assert "<img" not in page.html.partition("<main ")[2]
    assert "<script>alert" not in page.html
    assert "https://example.org/x" in page.links
    assert not any(link.startswith(("javascript:", "http://")) for link in page.links)
    assert f"/proposals/{proposal.pk}/changes/1...2" in page.links


def offered_actions(client: Client, number: int) -> set[str]:
    html = client.get(f"/proposals/{number}").content.decode()
    links = re.findall(rf'href="/proposals/{number}/([a-z]+)"', html)
    forms = re.findall(rf'action="/proposals/{number}/([a-z]+)"', html)
    return {*links, *forms} | ({"revise"} if f"/submit?proposal={number}" in html else set())


def test_offered_actions_depend_on_the_role(
    client: Client, propose: Propose, carol: User, bob: User
) -> None:
    proposal = propose()
    assert offered_actions(client, proposal.pk) == set()
    for user, actions in (
        (User.objects.create_user("dave"), {"comment"}),
        (bob, {"comment", "revise", "withdraw"}),
        (carol, {"comment", "accept", "ask", "reject"}),
    ):
        client.force_login(user)
        assert offered_actions(client, proposal.pk) == actions
    review.reject(proposal.pk, seen=1, text="No.", actor=Actor.operator(carol))
    assert offered_actions(client, proposal.pk) == {"comment"}


def test_four_eyes_policy_does_not_offer_accepting_your_own_proposal(
    client: Client, propose: Propose, carol: User, acme: Namespace
) -> None:
    client.force_login(carol)
    assert "accept" in offered_actions(client, propose("acme/own", actor=Actor(carol)).pk)
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose(actor=Actor(carol))
    assert "accept" not in offered_actions(client, proposal.pk)
    assert "this is your own proposal" in client.get(f"/proposals/{proposal.pk}").content.decode()


def test_accepted_proposal_links_to_its_version(
    visit: Visitor, propose: Propose, carol: User
) -> None:
    proposal = propose()
    review.accept(proposal.pk, seen=1, actor=Actor.operator(carol))
    page = visit(f"/proposals/{proposal.pk}")
    assert "Published as acme/board@1.0.0" in page.text
    assert "/tags/acme/board@1.0.0" in page.links
    assert "Checked against" not in page.text
    assert "Reviewers" not in page.text  # nobody reviews it any more


def test_a_fact_with_a_source_is_not_said_to_have_none(visit: Visitor, propose: Propose) -> None:
    facts = {"vendor": "Acme", "sources": {"all": ["https://example.org/"]}}
    stated = visit(f"/proposals/{propose('acme/one', BOARD | {'hardware': facts}).pk}").text
    assert "Acme example.org" in stated
    assert "No sources given" not in stated
    del facts["sources"]
    without = visit(f"/proposals/{propose('acme/two', BOARD | {'hardware': facts}).pk}").text
    assert "No sources given." in without


def test_request_for_changes_is_on_top_until_it_is_answered(
    visit: Visitor, propose: Propose, carol: User
) -> None:
    proposal = propose()
    review.request_changes(proposal.pk, seen=1, text="Which cores?", actor=Actor.operator(carol))
    top = visit(f"/proposals/{proposal.pk}").text.partition("Checked against")[0]
    assert "carol requested changes Which cores?" in top
    revise(proposal, BOARD | {"num-cores": 8})
    top = visit(f"/proposals/{proposal.pk}").text.partition("Checked against")[0]
    assert "Which cores?" not in top


def test_policy_that_nobody_can_fulfil_is_stated(
    client: Client, visit: Visitor, propose: Propose, acme: Namespace, alice: User
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose(actor=Actor.operator(alice))
    warning = "Four-eyes needs two curators or owners with open accounts; acme has one. "
    blocked = "There are too few staff to decide instead: a curator has to be added."
    client.force_login(alice)
    for path in (f"/proposals/{proposal.pk}", "/namespaces/acme", "/manage/acme"):
        assert warning + blocked in visit(path).text, path
    User.objects.create_user("boss", password="x" * 20, is_staff=True)
    staff_decides = "Staff decides instead until a curator is added."
    assert warning + staff_decides in visit(f"/proposals/{proposal.pk}").text


@pytest.mark.parametrize("number", ["0", "999", "9" * 30])
@pytest.mark.parametrize("rest", ["", ".atom", "/changes/1...2"])
def test_unknown_number_is_404(visit: Visitor, number: str, rest: str) -> None:
    assert visit(f"/proposals/{number}{rest}").status == 404


def test_page_is_cached_only_by_browsers(client: Client, propose: Propose) -> None:
    proposal = propose()
    first = client.get(f"/proposals/{proposal.pk}")
    assert "private" in first["Cache-Control"]
    again = client.get(f"/proposals/{proposal.pk}", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert client.post(f"/proposals/{proposal.pk}").status_code == 405


def test_query_count_is_constant(visit: Visitor, propose: Propose, carol: User) -> None:
    proposal = propose(body=BOARD)
    expected = visit(f"/proposals/{proposal.pk}").queries
    for number in range(6):
        review.comment(proposal.pk, text=f"{number}", actor=Actor.operator(carol))
        revise(proposal, BOARD | {"num-cores": 40 + number})
    assert visit(f"/proposals/{proposal.pk}").queries == expected


def test_reviewers_see_the_record_of_the_submitter(
    client: Client, visit: Visitor, propose: Propose, bob: User, carol: User
) -> None:
    rejected = propose("acme/first")
    review.reject(rejected.pk, seen=1, text="No", actor=Actor(carol))
    path = f"/proposals/{propose().pk}"
    record = "Other proposals for acme 1 rejected In all namespaces 1 rejected"
    client.force_login(carol)
    assert record in visit(path).text
    assert "Other proposals for acme 1 open" in visit(f"/proposals/{rejected.pk}").text
    for reader in (bob, User.objects.create_user("reader")):
        client.force_login(reader)
        assert "Other proposals" not in visit(path).text
    client.logout()
    assert "Other proposals" not in visit(path).text


def test_reviewers_see_no_record_of_themselves(
    client: Client, visit: Visitor, propose: Propose, carol: User
) -> None:
    client.force_login(carol)
    path = f"/proposals/{propose(actor=Actor(carol)).pk}"
    assert "Other proposals" not in visit(path).text


def test_every_curator_is_named(acme: Namespace, visit: Visitor, propose: Propose) -> None:
    number = propose().pk
    for index in range(30):
        user = User.objects.create_user(f"curator{index:02}")
        Membership.objects.create(namespace=acme, user=user, role=Role.CURATOR)
    names = ["alice", *(f"curator{index:02}" for index in range(30))]
    page = visit(f"/proposals/{number}")
    assert f"Reviewers {' , '.join(names)}" in page.text
    assert visit.client.get(f"/api/v1/proposals/{number}").json()["asked"] == names


@pytest.mark.parametrize(("limit", "is_cut"), [(3, False), (2, True)])
def test_facts_that_are_left_out_are_counted(
    visit: Visitor, propose: Propose, monkeypatch: pytest.MonkeyPatch, limit: int, is_cut: bool
) -> None:
    monkeypatch.setattr(review_checks, "MAX_FACTS", limit)
    hardware = {"vendor": "Acme", "model": "Board", "cores": 4}
    page = visit(f"/proposals/{propose(body=BOARD | {'hardware': hardware}).pk}")
    assert ("Showing the first 2 of 3 facts." in page.text) is is_cut
