"""The queue of proposals, one with its consequences, and decisions, as staff makes them."""

import json
from typing import Any

import pytest

from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Event, Namespace, Policy, Proposal, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.admin.conftest import Answer, Desk
from tests.publishing import last_published, publish, yank

pytestmark = pytest.mark.usefixtures("acme")

BOARD = {"kind": "llvm", "mcpu": "skylake", "num-cores": 41}
LIST = "registry/proposal/"


@pytest.fixture
def bob(db: None) -> User:
    """Somebody who proposes."""
    return User.objects.create_user("bob")


def propose(tag: str, body: Any, actor: User, message: str = "") -> Proposal:
    return submission.propose(
        TagName.parse(tag),
        json.dumps(body),
        message=message,
        base=last_published(tag),
        actor=Actor.operator(actor),
    )


def page_of(desk: Desk, proposal: Proposal) -> Answer:
    return desk.see(f"{LIST}{proposal.pk}/change/")


def test_the_index_begins_with_what_waits(clerk: Desk, bob: User) -> None:
    assert "Administration Review Proposals" in clerk.see("").text
    assert "none waits" in clerk.see("").text
    propose("acme/new", BOARD, bob)
    assert "1 waits" in clerk.see("").text
    propose("acme/newer", BOARD, bob)
    assert "2 wait " in clerk.see("").text


def test_the_queue_is_oldest_first_and_says_what_each_would_be(clerk: Desk, bob: User) -> None:
    publish("acme/board", BOARD)
    propose("acme/board", BOARD | {"num-cores": 8}, bob)
    propose("acme/new", BOARD | {"num-cores": 9}, bob)
    first, second = clerk.see(LIST).rows
    assert "acme/board 2.0.0 MAJOR 0 0 bob" in first
    assert "acme/new 1.0.0 FIRST 0 0 bob" in second
    assert first.endswith("○ waiting")


def test_what_stands_against_one_stands_in_its_row(clerk: Desk, bob: User) -> None:
    publish("acme/base", BOARD)
    publish("acme/moved", BOARD | {"num-cores": 3})
    propose("acme/broken", {"tag": "acme/base@1", "num-cores": 5}, bob)
    propose("acme/moved", BOARD | {"num-cores": 4}, bob)
    yank("acme/base@1.0.0")
    publish("acme/moved", BOARD | {"num-cores": 6})
    broken, moved = clerk.see(LIST).rows
    assert "acme/broken invalid: " in broken
    assert "acme/moved the tag has moved to 2.0.0" in moved
    assert broken.startswith("— ")
    assert moved.startswith("— ")


def test_decided_ones_are_shown_when_asked_for(clerk: Desk, bob: User) -> None:
    taken = propose("acme/one", BOARD, bob)
    left = propose("acme/two", BOARD | {"num-cores": 3}, bob)
    asked = propose("acme/three", BOARD | {"num-cores": 5}, bob)
    review.accept(taken.pk, seen=1, actor=Actor.operator(clerk.user))
    review.reject(left.pk, seen=1, text="no", actor=Actor.operator(clerk.user))
    review.request_changes(asked.pk, seen=1, text="more", actor=Actor.operator(clerk.user))
    waiting = clerk.see(LIST)
    assert waiting.rows == []
    counts = ("waiting 0", "changes asked 1", "accepted 1", "rejected 1", "withdrawn 0", "all 3")
    for count in counts:
        assert count in waiting.text
    (accepted,) = clerk.see(LIST, state="accepted").rows
    assert "acme/one@1.0.0" in accepted
    assert accepted.endswith("✓ accepted")
    assert len(clerk.see(LIST, state="all").rows) == 3
    assert clerk.see(LIST, state="lost").rows == []


def test_the_queue_is_narrowed_by_namespace_and_submitter(clerk: Desk, bob: User) -> None:
    propose("acme/one", BOARD, bob)
    assert len(clerk.see(LIST, namespace="acme", submitter="bob").rows) == 1
    assert clerk.see(LIST, namespace="nvidia").rows == []
    assert "waiting 0" in clerk.see(LIST, namespace="nvidia").text
    assert clerk.see(LIST, submitter="nobody").rows == []
    assert clerk.see(LIST, submitter="a\x00b").rows == []
    assert len(clerk.see(LIST, q="acme/on").rows) == 1


def test_a_page_shows_all_that_a_decision_rests_on(clerk: Desk, bob: User) -> None:
    publish("acme/soc", BOARD)
    publish("acme/kit", {"tag": "acme/soc", "mcpu": "haswell"})
    proposal = propose("acme/soc", BOARD | {"num-cores": 8}, bob, "eight cores <b>now</b>")
    page = page_of(clerk, proposal)
    assert "Would be acme/soc@2.0.0 MAJOR" in page.text
    assert "≠ changed /num-cores 41 8" in page.text
    assert "1 tag would come out otherwise" in page.text
    assert "acme/kit@1.0.0" in page.text
    assert "eight cores <b>now</b>" in page.text
    assert "<b>now</b>" not in page.html
    assert f"/proposals/{proposal.pk}" in page.links
    for act in ("accept", "ask", "reject"):
        assert f"/admin/{LIST}{proposal.pk}/{act}/" in page.links


def test_a_page_names_near_duplicates(clerk: Desk, bob: User) -> None:
    publish("acme/board", BOARD)
    page = page_of(clerk, propose("acme/copy", BOARD | {"num-cores": 40}, bob))
    assert "acme/board@1.0.0 but for /num-cores 41 there, 40 here" in page.text


def test_a_page_says_why_nothing_can_be_published(clerk: Desk, bob: User) -> None:
    publish("acme/base", BOARD)
    proposal = propose("acme/new", {"tag": "acme/base@1", "num-cores": 5}, bob)
    yank("acme/base@1.0.0")
    assert "It cannot be published as it is." in page_of(clerk, proposal).text


def test_a_moved_tag_is_to_be_revised_by_its_submitter(clerk: Desk, bob: User) -> None:
    proposal = propose("acme/new", BOARD, bob)
    publish("acme/new", BOARD | {"num-cores": 2})
    assert "acme/new has moved: 1.0.0 is the version" in page_of(clerk, proposal).text
    answer = clerk.send(f"{LIST}{proposal.pk}/accept/", seen="1", text="")
    assert answer.status == 409
    assert "bob has to revise it." in answer.text


def test_accepting_publishes_to_the_credit_of_the_submitter(clerk: Desk, bob: User) -> None:
    proposal = propose("acme/new", BOARD, bob)
    answer = clerk.send(f"{LIST}{proposal.pk}/accept/", seen="1", text="thanks", key="k")
    assert "acme/new@1.0.0 is published, to the credit of bob." in answer.text
    version = Version.objects.get(tag__text="acme/new")
    assert (version.publisher, version.author) == (clerk.user, bob)
    page = clerk.see(f"registry/version/{version.pk}/change/")
    assert f"proposal {proposal.pk} by bob" in page.text
    assert "thanks" in page_of(clerk, proposal).text


@pytest.mark.parametrize(
    ("act", "state"), [("ask", ProposalState.CHANGES_ASKED), ("reject", ProposalState.REJECTED)]
)
def test_asking_and_rejecting_take_a_reason(
    clerk: Desk, bob: User, act: str, state: ProposalState
) -> None:
    proposal = propose("acme/new", BOARD, bob)
    path = f"{LIST}{proposal.pk}/{act}/"
    assert clerk.send(path, seen="1", text="").status == 422
    assert clerk.send(path, seen="1", text="bell \x07").status == 400
    clerk.send(path, seen="1", text="needs a source")
    proposal.refresh_from_db()
    assert proposal.state == state
    assert "needs a source" in page_of(clerk, proposal).text


def test_a_stale_revision_and_a_decided_proposal_are_refused(clerk: Desk, bob: User) -> None:
    proposal = propose("acme/new", BOARD, bob)
    body = json.dumps(BOARD | {"num-cores": 3})
    submission.revise(proposal.pk, body, message="", base=None, seen=1, actor=Actor.operator(bob))
    path = f"{LIST}{proposal.pk}/accept/"
    assert clerk.send(path, seen="1", text="").status == 412
    assert clerk.send(path, seen="2", text="").status == 200
    assert clerk.send(path, seen="2", text="").status == 409
    page = page_of(clerk, proposal)
    assert not any(url.endswith(("/accept/", "/ask/", "/reject/")) for url in page.links)


def test_ones_own_is_not_offered_where_it_takes_another_pair_of_eyes(
    clerk: Desk, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose("acme/new", BOARD, clerk.user)
    page = page_of(clerk, proposal)
    assert "in acme somebody else accepts" in page.text
    assert f"/admin/{LIST}{proposal.pk}/accept/" not in page.links
    assert f"/admin/{LIST}{proposal.pk}/reject/" in page.links
    assert clerk.send(f"{LIST}{proposal.pk}/accept/", seen="1", text="").status == 403
    assert clerk.see(LIST).rows[0].startswith("— ")


def test_boxes_stand_at_plain_ones_only(clerk: Desk, bob: User) -> None:
    publish("acme/soc", BOARD)
    publish("acme/kit", {"tag": "acme/soc", "mcpu": "haswell"})
    propose("acme/soc", BOARD | {"num-cores": 8}, bob)
    plain = propose("acme/new", BOARD | {"num-cores": 9}, bob)
    page = clerk.see(LIST)
    assert page.html.count('type="checkbox"') == 1
    assert f'value="{plain.pk}:1"' in page.html


def test_the_ticked_are_asked_about_once_more_and_then_published(clerk: Desk, bob: User) -> None:
    pairs = [
        f"{propose(f'acme/n{at}', BOARD | {'num-cores': at + 2}, bob).pk}:1" for at in range(2)
    ]
    asked = Answer(clerk.client.get(f"/admin/{LIST}accept/", {"ticked": pairs}), 0)
    assert "Would be published: 2" in asked.text
    assert not Version.objects.filter(tag__text__startswith="acme/n").exists()
    publish("acme/n1", BOARD)
    answer = clerk.send(f"{LIST}accept/", ticked=pairs)
    assert "1 published, 1 passed over." in answer.text
    assert "acme/n0@1.0.0" in answer.text
    assert "The tag has moved to 1.0.0." in answer.text
    assert Event.objects.filter(action="proposal.accepted").count() == 1
    again = clerk.send(f"{LIST}accept/", ticked=pairs)
    assert "0 published, 2 passed over." in again.text


@pytest.mark.parametrize(
    ("ticked", "told"),
    [
        ([], "Nothing is ticked"),
        (["x"], "'x' is no proposal with its revision"),
        (["1:1 or 2"], "is no proposal with its revision"),
        (["1:99999999999"], "is no proposal with its revision"),
        ([f"{at}:1" for at in range(1, 60)], "59 proposals are ticked: at most 50 at once."),
    ],
)
def test_what_cannot_have_been_ticked_is_refused(clerk: Desk, ticked: list[str], told: str) -> None:
    for answer in (
        Answer(clerk.client.get(f"/admin/{LIST}accept/", {"ticked": ticked}), 0),
        clerk.send(f"{LIST}accept/", ticked=ticked),
    ):
        assert answer.status == 422
        assert told in answer.text


def test_what_is_not_plain_is_not_asked_about(clerk: Desk, bob: User) -> None:
    page = clerk.see(f"{LIST}accept/", ticked="999999:1")
    assert "There is no proposal 999999." in page.text
    assert "Publish" not in page.text


def test_many_at_once_are_for_staff(client: Any, alice: User, bob: User) -> None:
    proposal = propose("acme/new", BOARD, bob)
    client.force_login(alice)
    client.post(f"/admin/{LIST}accept/", {"ticked": f"{proposal.pk}:1"})
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.OPEN
