"""Submitting, publishing at once, and revising, for people with an account."""

import json

import pytest
from django.test import Client

from registry.domain.reference import Tag
from registry.domain.version_number import VersionNumber
from registry.models import Namespace, Policy, Proposal, ProposalRevision, SavedDraft, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.publishing import publish
from tests.web.proposals.submit.conftest import Desk

pytestmark = pytest.mark.django_db

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'


@pytest.fixture
def bob(db: None) -> User:
    """A person without rights."""
    return User.objects.create_user("bob")


@pytest.fixture
def bobs(bob: User) -> Desk:
    """Bob at the form."""
    client = Client()
    client.force_login(bob)
    return Desk(client)


@pytest.fixture
def alices(alice: User) -> Desk:
    """Alice at the form."""
    client = Client()
    client.force_login(alice)
    return Desk(client)


def test_a_submission_is_a_proposal(bobs: Desk, bob: User, acme: Namespace) -> None:
    page = bobs.begin("acme/x", how="kind", kind="cuda")
    page = bobs.press(page, "preview", **{"f:/arch": "sm_87", "message": "new\r\nhere"})
    page = bobs.press(page, "submit", sources="https://example.com/a\r\n\r\nhttps://example.com/b")
    proposal = Proposal.objects.get()
    assert page.status == 302
    assert page.response["Location"] == f"/proposals/{proposal.pk}"
    assert proposal.submitter == bob
    revision = ProposalRevision.objects.get()
    assert json.loads(revision.source) == {"kind": "cuda", "arch": "sm_87"}
    assert revision.message == "new\nhere"
    assert json.loads(revision.sources) == ["https://example.com/a", "https://example.com/b"]
    assert revision.base == ""


def test_a_form_sent_twice_is_one_proposal(bobs: Desk, acme: Namespace) -> None:
    page = bobs.json("acme/x", GOOD, "check")
    first, second = (bobs.press(page, "submit") for _ in range(2))
    assert first.response["Location"] == second.response["Location"]
    assert Proposal.objects.count() == 1


def test_what_is_changed_after_it_was_sent_is_not_taken_for_the_same(
    bobs: Desk, acme: Namespace
) -> None:
    page = bobs.json("acme/x", GOOD, "check")
    bobs.press(page, "submit")
    again = bobs.press(page, "submit", body='{"kind": "cuda", "arch": "sm_90"}')
    assert again.status == 409
    assert "Revise that proposal, or send this one as another." in again.told
    assert "sm_90" in again.fields["body"]
    assert bobs.press(again, "submit").status == 302
    assert Proposal.objects.count() == 2


def test_the_same_from_another_tab_is_told(bobs: Desk, acme: Namespace) -> None:
    bobs.json("acme/x", GOOD, "submit")
    page = bobs.json("acme/x", GOOD, "submit")
    assert page.status == 409
    assert "proposes this very body for acme/x already" in page.told
    assert page.fields["body"] == GOOD


@pytest.mark.parametrize(
    ("tag", "status", "words"),
    [
        ("nvidai/x", 404, "There is no namespace nvidai"),
        ("acme/same", 409, "Source, lineage and target are those of the newest"),
    ],
)
def test_what_cannot_be_submitted_says_why(
    bobs: Desk, acme: Namespace, tag: str, status: int, words: str
) -> None:
    publish("acme/same", GOOD)
    page = bobs.json(tag, GOOD, "submit", message="mine", base="1.0.0" if "same" in tag else "")
    assert page.status == status
    assert words in page.told
    assert page.fields["message"] == "mine"
    assert not Proposal.objects.exists()


def test_a_fault_is_told_before_anything_is_submitted(bobs: Desk, acme: Namespace) -> None:
    page = bobs.json("acme/x", '{"kind": "cudaa"}', "submit")
    assert page.status == 422
    assert page.step == "Check"
    assert not Proposal.objects.exists()


def test_who_was_overtaken_takes_todays_version(bobs: Desk, acme: Namespace) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    page = bobs.open("/submit?tag=acme/x")
    publish("acme/x", {"kind": "llvm", "mcpu": "skylake"})
    page = bobs.press(page, "submit", **{"f:/num-cores": "8", "message": "eight"})
    assert page.status == 412
    assert "the most recently published is 2.0.0" in page.told
    assert page.fields["f:/num-cores"] == "8"
    page = bobs.press(page, "today")
    assert page.status == 200
    assert '"skylake"' in page.text, "what changed meanwhile is in the diff"
    assert bobs.press(page, "submit").status == 302
    assert ProposalRevision.objects.get().base == "2.0.0"


@pytest.fixture
def fifty(bob: User, acme: Namespace) -> None:
    """As many open proposals as one may have."""
    for number in range(submission.MAX_UNDECIDED):
        Proposal.objects.create(
            tag=f"acme/x{number}", namespace=acme, submitter=bob, changed="2026-01-01T00:00Z"
        )


@pytest.mark.usefixtures("fifty")
def test_the_fifty_first_is_kept_as_a_draft(bobs: Desk) -> None:
    page = bobs.json("acme/x", GOOD, "submit", message="mine")
    draft = SavedDraft.objects.get()
    assert page.status == 429
    assert int(page.response["Retry-After"]) > 0
    assert "50 proposals that nobody has decided on" in page.told
    assert page.fields["body"] == GOOD
    assert page.action == f"/submit/{draft.pk}"
    assert json.loads(draft.typed)["message"] == ["mine"]
    assert bobs.press(page, "submit").status == 429
    assert SavedDraft.objects.count() == 1


def test_publishing_at_once_is_for_members(
    desk: Desk, bobs: Desk, alices: Desk, acme: Namespace
) -> None:
    for visitor, is_offered in ((desk, False), (bobs, False), (alices, True)):
        page = visitor.json("acme/x", GOOD, "preview")
        assert ("Publish now" in page.text) is is_offered
    page = bobs.json("acme/x", GOOD, "publish")
    assert page.status == 403
    assert "bob may not publish in acme" in page.told
    page = alices.json("acme/x", GOOD, "publish", message="first")
    assert page.step == "Preview", "what it means is shown first"
    assert "This is what publishing does." in page.text
    page = alices.press(page, "publish")
    assert page.response["Location"] == "/tags/acme/x"
    assert Version.objects.get(tag__text="acme/x").message == "first"
    page = alices.json("acme/x", '{"kind": "llvm"}', "publish")
    page = alices.press(page, "publish")
    assert page.status == 412, "nobody overwrites what they have not seen"


def test_what_is_changed_after_the_preview_is_shown_again(alices: Desk, acme: Namespace) -> None:
    page = alices.json("acme/x", GOOD, "preview")
    page = alices.press(page, "publish", body='{"kind": "cuda", "arch": "sm_90"}')
    assert page.step == "Preview"
    assert not Version.objects.filter(tag__text="acme/x").exists()
    assert alices.press(page, "publish").status == 302


def test_a_form_sent_twice_is_one_version(alices: Desk, bobs: Desk, acme: Namespace) -> None:
    page = alices.json("acme/x", GOOD, "preview")
    said = [alices.press(page, "publish").response["Location"] for _ in range(2)]
    assert said == ["/tags/acme/x", "/tags/acme/x"]
    assert Version.objects.filter(tag__text="acme/x").count() == 1


def test_publishing_is_not_offered_where_all_is_reviewed(alices: Desk, acme: Namespace) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    page = alices.json("acme/x", GOOD, "preview")
    assert "Publish now" not in page.text
    page = alices.json("acme/x", GOOD, "publish")
    assert page.status == 403
    assert "Propose it." in page.told


@pytest.fixture
def proposal(bob: User, acme: Namespace) -> Proposal:
    """One of Bob's."""
    return submission.propose(
        Tag.parse("acme/x"),
        GOOD,
        message="first",
        base=None,
        actor=Actor.operator(bob),
        sources=["https://example.com"],
    )


def test_a_proposal_is_revised(bobs: Desk, proposal: Proposal) -> None:
    page = bobs.open(f"/submit?proposal={proposal.pk}")
    assert page.status == 200
    assert page.fields["f:/mcpu"] == "haswell"
    assert page.fields["message"] == "first"
    assert page.fields["sources"] == "https://example.com"
    assert "Publish now" not in page.text
    page = bobs.press(page, "submit", **{"f:/mcpu": "skylake", "text": "a newer CPU"})
    assert page.response["Location"] == f"/proposals/{proposal.pk}"
    newest = ProposalRevision.objects.get(number=2)
    assert json.loads(newest.source)["mcpu"] == "skylake"
    assert proposal.turns.get(act="revise").text == "a newer CPU"


def test_a_stale_revision_is_told_and_keeps_everything(bobs: Desk, proposal: Proposal) -> None:
    page = bobs.open(f"/submit?proposal={proposal.pk}")
    bobs.press(page, "submit", **{"f:/mcpu": "skylake"})
    page = bobs.press(page, "submit", **{"f:/mcpu": "znver3", "key": ""})
    assert page.status == 412
    assert "revision 2 is the newest" in page.told
    assert page.fields["f:/mcpu"] == "znver3"
    page = bobs.press(page, "today")
    assert page.fields["seen"] == "2"
    assert bobs.press(page, "submit").status == 302
    assert ProposalRevision.objects.count() == 3


def test_a_revision_is_for_the_tag_of_its_proposal(bobs: Desk, proposal: Proposal) -> None:
    page = bobs.open(f"/submit?proposal={proposal.pk}")
    page = bobs.press(page, "submit", tag="acme/y")
    assert page.status == 409
    assert "is for acme/x, and stays so" in page.told


def test_a_decided_proposal_is_not_revised(bobs: Desk, alice: User, proposal: Proposal) -> None:
    page = bobs.open(f"/submit?proposal={proposal.pk}")
    review.reject(proposal.pk, seen=1, text="no", actor=Actor.operator(alice))
    page = bobs.press(page, "submit", **{"f:/mcpu": "skylake"})
    assert page.status == 409
    assert page.fields["f:/mcpu"] == "skylake"
    assert bobs.open(f"/submit?proposal={proposal.pk}").status == 409


def test_only_its_submitter_revises(desk: Desk, alices: Desk, proposal: Proposal) -> None:
    assert alices.open(f"/submit?proposal={proposal.pk}").status == 403
    asked = desk.open(f"/submit?proposal={proposal.pk}")
    assert asked.status == 302
    assert "next=/submit%3Fproposal%3D" in asked.response["Location"]
    page = alices.json("acme/x", '{"kind": "cuda"}', "submit", proposal=str(proposal.pk), seen="1")
    assert page.status == 403
    assert ProposalRevision.objects.count() == 1


@pytest.mark.parametrize("number", ["x", "", "0", "-1", "99999999999999999999", "12345", "<b>"])
def test_a_proposal_that_is_none_is_a_page(bobs: Desk, number: str) -> None:
    page = bobs.open(f"/submit?proposal={number}")
    assert page.status == 404
    assert "<b>" not in page.html.partition("<main ")[2]


def test_a_base_is_kept_from_the_beginning(bobs: Desk, acme: Namespace) -> None:
    publish("acme/x", GOOD)
    page = bobs.open("/submit?tag=acme/x")
    assert VersionNumber.parse(page.fields["base"]) == VersionNumber(1, 0, 0)
