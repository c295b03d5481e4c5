"""Tests of proposals in the admin: the queue, the page of a proposal, and decisions."""

import json
import re
from typing import Any

import pytest

from registry.domain.proposal_states import ProposalState
from registry.domain.reference import Tag as TagName
from registry.models import Event, Namespace, Policy, Proposal, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.admin.conftest import AdminClient, Page
from tests.publishing import last_published, publish, yank

pytestmark = pytest.mark.usefixtures("acme")

BOARD = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "skylake", "num-cores": 41}
LIST = "registry/proposal/"


@pytest.fixture
def bob(db: None) -> User:
    """The submitter of proposals."""
    return User.objects.create_user("bob")


def propose(tag: str, body: Any, actor: User, message: str = "") -> Proposal:
    return submission.propose(
        TagName.parse(tag),
        json.dumps(body),
        message=message,
        base=last_published(tag),
        actor=Actor.operator(actor),
    )


def page_of(superuser: AdminClient, proposal: Proposal) -> Page:
    return superuser.get(f"{LIST}{proposal.pk}/change/")


def test_index_starts_with_the_number_of_waiting_proposals(staff: AdminClient, bob: User) -> None:
    assert "Administration Review Proposals" in staff.get("").text
    assert "none open" in staff.get("").text
    propose("acme/new", BOARD, bob)
    assert "1 open" in staff.get("").text
    propose("acme/newer", BOARD, bob)
    assert "2 open" in staff.get("").text


def test_queue_is_oldest_first_with_the_next_versions(staff: AdminClient, bob: User) -> None:
    publish("acme/board", BOARD)
    propose("acme/board", BOARD | {"num-cores": 8}, bob)
    propose("acme/new", BOARD | {"num-cores": 9}, bob)
    first, second = staff.get(LIST).rows
    assert "acme/board 2.0.0 MAJOR 0 0 bob" in first
    assert "acme/new 1.0.0 FIRST 0 0 bob" in second
    assert first.endswith("○ open")


def test_accept_is_not_offered_where_it_cannot_work(staff: AdminClient, bob: User) -> None:
    publish("acme/moved", BOARD | {"num-cores": 3})
    moved = propose("acme/moved", BOARD | {"num-cores": 4}, bob)
    fine = propose("acme/fine", BOARD, bob)
    publish("acme/moved", BOARD | {"num-cores": 6})
    for proposal, is_offered in ((moved, False), (fine, True)):
        links = page_of(staff, proposal).links
        path = f"/admin/{LIST}{proposal.pk}/accept/"
        assert any(url.startswith(path) for url in links) is is_offered
        assert f"/admin/{LIST}{proposal.pk}/reject/" in links


def test_row_states_the_obstacle_to_publication(staff: AdminClient, bob: User) -> None:
    publish("acme/base", BOARD)
    publish("acme/moved", BOARD | {"num-cores": 3})
    propose("acme/broken", {"tag": "acme/base@1", "num-cores": 5}, bob)
    propose("acme/moved", BOARD | {"num-cores": 4}, bob)
    yank("acme/base@1.0.0")
    publish("acme/moved", BOARD | {"num-cores": 6})
    broken, moved = staff.get(LIST).rows
    assert "acme/broken invalid: " in broken
    assert "acme/moved the tag has moved to 2.0.0" in moved
    assert broken.startswith("Invalid: There is no version 1 of acme/base"), "why not in bulk"
    assert moved.startswith("The tag has moved to 2.0.0")


def test_queue_can_be_filtered_by_state(staff: AdminClient, bob: User) -> None:
    accepted = propose("acme/one", BOARD, bob)
    rejected = propose("acme/two", BOARD | {"num-cores": 3}, bob)
    returned = propose("acme/three", BOARD | {"num-cores": 5}, bob)
    review.accept(accepted.pk, seen=1, actor=Actor.operator(staff.user))
    review.reject(rejected.pk, seen=1, text="no", actor=Actor.operator(staff.user))
    review.request_changes(returned.pk, seen=1, text="more", actor=Actor.operator(staff.user))
    queue = staff.get(LIST)
    assert queue.rows == []
    counts = (
        "open 0",
        "changes requested 1",
        "accepted 1",
        "rejected 1",
        "withdrawn 0",
        "all 3",
    )
    for count in counts:
        assert count in queue.text
    (row,) = staff.get(LIST, state="accepted").rows
    assert "acme/one@1.0.0" in row
    assert row.endswith("✓ accepted")
    assert len(staff.get(LIST, state="all").rows) == 3
    assert staff.get(LIST, state="lost").rows == []


def test_queue_can_be_filtered_by_namespace_and_submitter(staff: AdminClient, bob: User) -> None:
    propose("acme/one", BOARD, bob)
    assert len(staff.get(LIST, namespace="acme", submitter="bob").rows) == 1
    assert staff.get(LIST, namespace="nvidia").rows == []
    assert "open 0" in staff.get(LIST, namespace="nvidia").text
    assert staff.get(LIST, submitter="nobody").rows == []
    assert staff.get(LIST, submitter="a\x00b").rows == []
    assert len(staff.get(LIST, q="acme/on").rows) == 1


def test_page_shows_changes_impact_and_actions(staff: AdminClient, bob: User) -> None:
    publish("acme/soc", BOARD)
    publish("acme/kit", {"tag": "acme/soc", "mcpu": "haswell"})
    proposal = propose("acme/soc", BOARD | {"num-cores": 8}, bob, "eight cores <b>now</b>")
    page = page_of(staff, proposal)
    assert "Next version acme/soc@2.0.0 MAJOR" in page.text
    assert "≠ changed /num-cores 41 8" in page.text
    assert "1 tag would change when published again" in page.text
    assert "acme/kit@1.0.0" in page.text
    assert "eight cores <b>now</b>" in page.text
    assert "<b>now</b>" not in page.html
    assert f"/proposals/{proposal.pk}" in page.links
    for action in ("accept", "ask", "reject"):
        path = f"/admin/{LIST}{proposal.pk}/{action}/"
        assert path in [url.partition("?")[0] for url in page.links]


def test_page_lists_near_duplicates(staff: AdminClient, bob: User) -> None:
    publish("acme/board", BOARD)
    page = page_of(staff, propose("acme/copy", BOARD | {"num-cores": 40}, bob))
    assert "acme/board@1.0.0 except /num-cores 41 there, 40 here" in page.text


def test_page_explains_why_a_proposal_cannot_be_published(staff: AdminClient, bob: User) -> None:
    publish("acme/base", BOARD)
    proposal = propose("acme/new", {"tag": "acme/base@1", "num-cores": 5}, bob)
    yank("acme/base@1.0.0")
    assert "The proposal cannot be published as it is." in page_of(staff, proposal).text


def test_proposal_for_a_moved_tag_must_be_revised(staff: AdminClient, bob: User) -> None:
    proposal = propose("acme/new", BOARD, bob)
    publish("acme/new", BOARD | {"num-cores": 2})
    moved = "acme/new has moved: the last published version is 1.0.0"
    assert moved in page_of(staff, proposal).text
    answer = staff.post(f"{LIST}{proposal.pk}/accept/", seen="1", text="")
    assert answer.status == 409
    assert "bob must revise the proposal." in answer.text


def test_accepted_proposal_is_published_and_credited_to_its_submitter(
    staff: AdminClient, bob: User
) -> None:
    proposal = propose("acme/new", BOARD, bob)
    answer = staff.post(f"{LIST}{proposal.pk}/accept/", seen="1", text="thanks", key="k")
    assert "acme/new@1.0.0 is published, credited to bob." in answer.text
    version = Version.objects.get(tag__text="acme/new")
    assert (version.publisher, version.author) == (staff.user, bob)
    page = staff.get(f"registry/version/{version.pk}/change/")
    assert f"proposal {proposal.pk} by bob" in page.text
    assert "thanks" in page_of(staff, proposal).text


@pytest.mark.parametrize("floats", [True, False])
def test_acceptance_publishes_the_target_of_the_page_that_it_was_opened_from(
    staff: AdminClient, bob: User, floats: bool
) -> None:
    publish("acme/base", BOARD)
    body = {"tag": "acme/base" if floats else "acme/base@1.0.0", "num-cores": 5}
    proposal = propose("acme/new", body, bob)
    path = f"{LIST}{proposal.pk}/accept/"
    (link,) = [url for url in page_of(staff, proposal).links if f"/admin/{path}" in url]
    publish("acme/base", BOARD | {"mattr": ["+adx"]})
    digest = link.partition("digest=")[2].replace("%3A", ":")
    form = Page(staff.client.get(link), 0)
    assert f'value="{digest}"' in form.html
    answer = staff.post(path, seen="1", text="", digest=digest)
    assert answer.status == (412 if floats else 200)
    assert Version.objects.filter(tag__text="acme/new").exists() is not floats


def test_confirmation_of_a_bulk_acceptance_holds_the_targets(staff: AdminClient, bob: User) -> None:
    publish("acme/base", BOARD)
    proposal = propose("acme/new", {"tag": "acme/base", "num-cores": 5}, bob)
    pair = f"{proposal.pk}:1"
    confirmation = Page(staff.client.get(f"/admin/{LIST}accept/", {"selected": [pair]}), 0)
    (held,) = re.findall(rf'value="({pair}:sha256:[0-9a-f]{{64}})"', confirmation.html)
    publish("acme/base", BOARD | {"mattr": ["+adx"]})
    answer = staff.post(f"{LIST}accept/", selected=[held])
    assert "0 published, 1 skipped." in answer.text
    assert "What it refers to has changed since it was selected" in answer.text
    assert "1 published, 0 skipped." in staff.post(f"{LIST}accept/", selected=[pair]).text


@pytest.mark.parametrize(
    ("action", "state", "words"),
    [
        ("ask", ProposalState.CHANGES_ASKED, "requested changes"),
        ("reject", ProposalState.REJECTED, "rejected"),
    ],
)
def test_requesting_changes_and_rejecting_need_a_reason(
    staff: AdminClient, bob: User, action: str, state: ProposalState, words: str
) -> None:
    proposal = propose("acme/new", BOARD, bob)
    path = f"{LIST}{proposal.pk}/{action}/"
    assert staff.post(path, seen="1", text="").status == 400
    assert staff.post(path, seen="1", text="bell \x07").status == 400
    staff.post(path, seen="1", text="needs a source")
    proposal.refresh_from_db()
    assert proposal.state == state
    assert f"{words} 1 staff needs a source" in page_of(staff, proposal).text


def test_stale_revision_and_decided_proposal_cannot_be_accepted(
    staff: AdminClient, bob: User
) -> None:
    proposal = propose("acme/new", BOARD, bob)
    body = json.dumps(BOARD | {"num-cores": 3})
    submission.revise(proposal.pk, body, message="", base=None, seen=1, actor=Actor.operator(bob))
    path = f"{LIST}{proposal.pk}/accept/"
    assert staff.post(path, seen="1", text="").status == 412
    assert staff.post(path, seen="2", text="").status == 200
    assert staff.post(path, seen="2", text="").status == 409
    page = page_of(staff, proposal)
    assert not any(re.search("/(accept|ask|reject)/", url) for url in page.links)


def test_staff_is_the_first_of_two_under_the_four_eyes_policy(
    staff: AdminClient, acme: Namespace, alice: User
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose("acme/new", BOARD, User.objects.create_user("stranger"))
    path = f"{LIST}{proposal.pk}/accept/"
    assert "You accepted revision 1 of proposal" in staff.post(path, seen="1", text="").text
    page = page_of(staff, proposal)
    assert (
        "You have accepted this revision: in acme, someone else must accept it, too." in page.text
    )
    assert staff.post(path, seen="1", text="").status == 403
    assert review.accept(proposal.pk, seen=1, actor=Actor(alice))


def test_own_proposal_cannot_be_accepted_under_the_four_eyes_policy(
    staff: AdminClient, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    proposal = propose("acme/new", BOARD, staff.user)
    page = page_of(staff, proposal)
    assert "in acme, someone else must accept it" in page.text
    assert not any("/accept/" in url for url in page.links)
    assert f"/admin/{LIST}{proposal.pk}/reject/" in page.links
    assert staff.post(f"{LIST}{proposal.pk}/accept/", seen="1", text="").status == 403
    assert staff.get(LIST).rows[0].startswith("acme is under four-eyes: accept it on its own")


def test_only_plain_proposals_have_a_checkbox(staff: AdminClient, bob: User) -> None:
    publish("acme/soc", BOARD)
    publish("acme/kit", {"tag": "acme/soc", "mcpu": "haswell"})
    propose("acme/soc", BOARD | {"num-cores": 8}, bob)
    plain = propose("acme/new", BOARD | {"num-cores": 9}, bob)
    page = staff.get(LIST)
    assert page.html.count('type="checkbox"') == 1
    assert f'value="{plain.pk}:1"' in page.html


def test_selected_proposals_are_published_after_a_confirmation(
    staff: AdminClient, bob: User
) -> None:
    proposals = [
        propose(f"acme/n{number}", BOARD | {"num-cores": number + 2}, bob, f"Board {number}")
        for number in range(2)
    ]
    pairs = [f"{proposal.pk}:1" for proposal in proposals]
    confirmation = Page(staff.client.get(f"/admin/{LIST}accept/", {"selected": pairs}), 0)
    assert "To be published: 2" in confirmation.text
    assert "acme/n0@1.0.0 FIRST bob Board 0" in confirmation.text
    assert not Version.objects.filter(tag__text__startswith="acme/n").exists()
    publish("acme/n1", BOARD)
    answer = staff.post(f"{LIST}accept/", selected=pairs)
    assert "1 published, 1 skipped." in answer.text
    assert "acme/n0@1.0.0" in answer.text
    assert "The tag has moved to 1.0.0." in answer.text
    assert Event.objects.filter(action="proposal.accepted").count() == 1
    again = staff.post(f"{LIST}accept/", selected=pairs)
    assert "0 published, 2 skipped." in again.text


@pytest.mark.parametrize(
    ("selected", "message"),
    [
        ([], "Select the proposals to accept."),
        (["x"], "'x' is not a proposal with its revision"),
        (["1:1 or 2"], "is not a proposal with its revision"),
        (["1:99999999999"], "is not a proposal with its revision"),
        ([f"{n}:1" for n in range(1, 60)], "59 proposals are selected: at most 50 at once."),
    ],
)
def test_invalid_selection_is_rejected(
    staff: AdminClient, selected: list[str], message: str
) -> None:
    for answer in (
        Page(staff.client.get(f"/admin/{LIST}accept/", {"selected": selected}), 0),
        staff.post(f"{LIST}accept/", selected=selected),
    ):
        assert answer.status == 400
        assert message in answer.text


def test_confirmation_lists_unknown_proposals_as_skipped(staff: AdminClient, bob: User) -> None:
    page = staff.get(f"{LIST}accept/", selected="999999:1")
    assert "There is no proposal 999999." in page.text
    assert "Publish " not in page.text


def test_bulk_acceptance_is_only_for_staff(client: Any, alice: User, bob: User) -> None:
    proposal = propose("acme/new", BOARD, bob)
    client.force_login(alice)
    client.post(f"/admin/{LIST}accept/", {"selected": f"{proposal.pk}:1"})
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.OPEN
