"""Submitting, revising and publishing a profile."""

import json

import pytest

from registry.domain.body_form.devices import MAX_DETAILED
from registry.domain.reference import Tag
from registry.models import Namespace, Policy, Proposal, ProposalRevision, SavedDraft, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.publishing import publish, yank
from tests.web.proposals.submit.conftest import FormClient
from ttag_rules.version_number import VersionNumber

pytestmark = pytest.mark.django_db

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'


def test_submitting_creates_a_proposal(bob_client: FormClient, bob: User, acme: Namespace) -> None:
    page = bob_client.start("acme/x", start_from="kind", kind="cuda")
    page = bob_client.press(page, "preview", **{"f:/arch": "sm_87", "message": "new\r\nhere"})
    page = bob_client.press(
        page, "submit", sources="https://example.com/a\r\n\r\nhttps://example.com/b"
    )
    proposal = Proposal.objects.get()
    assert page.status == 302
    assert page.response["Location"] == f"/proposals/{proposal.pk}"
    assert proposal.submitter == bob
    revision = ProposalRevision.objects.get()
    assert json.loads(revision.source) == {"kind": "cuda", "arch": "sm_87"}
    assert revision.message == "new\nhere"
    assert json.loads(revision.sources) == ["https://example.com/a", "https://example.com/b"]
    assert revision.base == ""


def test_sources_entered_once_count_for_the_facts(bob_client: FormClient, acme: Namespace) -> None:
    url = "https://example.com/a"
    page = bob_client.start("acme/x", start_from="kind", kind="cuda")
    page = bob_client.press(page, "submit", sources=url, **{"f:/hardware/cores": "4"})
    revision = ProposalRevision.objects.get()
    assert json.loads(revision.sources) == [url]
    assert json.loads(revision.source)["hardware"] == {"cores": 4, "sources": {"all": [url]}}


def test_sources_count_only_for_the_facts_that_change(
    bob_client: FormClient, acme: Namespace
) -> None:
    old, new = "https://example.com/a", "https://example.com/b"
    facts = {"vendor": "Acme", "cores": 4, "sources": {"all": [old]}}
    publish("acme/x", {"kind": "llvm", "hardware": facts})
    page = bob_client.open("/submit?tag=acme/x")
    bob_client.press(page, "submit", sources=new, **{"f:/hardware/cores": "8"})
    hardware = json.loads(ProposalRevision.objects.get().source)["hardware"]
    assert hardware == facts | {"cores": 8, "sources": {"all": [old], "counts": [new]}}


@pytest.mark.parametrize("sources", ["", "http://example.com", "see the manual"])
def test_invalid_sources_count_for_nothing(form_client: FormClient, sources: str) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="cuda")
    fields = {"f:/hardware/cores": "4", "sources": sources}
    page = form_client.press(page, "json", **fields)
    assert json.loads(page.fields["body"]) == {"kind": "cuda", "hardware": {"cores": 4}}


def test_sources_leave_bodies_in_json_as_they_are(form_client: FormClient) -> None:
    body = '{"kind": "llvm",  "hardware": {"cores": 4}}'
    page = form_client.post_json("acme/x", body, "preview", sources="https://example.com/a")
    assert page.fields["body"] == body
    assert "all" not in page.fields["body"]


def test_form_sent_twice_creates_one_proposal(bob_client: FormClient, acme: Namespace) -> None:
    page = bob_client.post_json("acme/x", GOOD, "check")
    first, second = (bob_client.press(page, "submit") for _ in range(2))
    assert first.response["Location"] == second.response["Location"]
    assert Proposal.objects.count() == 1


def test_changed_form_with_the_same_key_is_a_conflict(
    bob_client: FormClient, acme: Namespace
) -> None:
    page = bob_client.post_json("acme/x", GOOD, "check")
    bob_client.press(page, "submit")
    again = bob_client.press(page, "submit", body='{"kind": "cuda", "arch": "sm_90"}')
    assert again.status == 409
    assert "Revise that proposal, or start a new one." in again.errors
    assert "sm_90" in again.fields["body"]
    assert bob_client.press(again, "submit").status == 302
    assert Proposal.objects.count() == 2


def test_a_message_that_was_changed_after_submitting_is_not_lost(
    bob_client: FormClient, acme: Namespace
) -> None:
    page = bob_client.post_json("acme/x", GOOD, "check", message="One.")
    bob_client.press(page, "submit")
    again = bob_client.press(page, "submit", message="Two.")
    assert again.status == 409
    assert "Revise that proposal" in again.errors
    assert again.fields["message"] == "Two."


def test_a_message_that_was_changed_after_publishing_is_not_lost(
    alice_client: FormClient, acme: Namespace
) -> None:
    page = alice_client.post_json("acme/x", GOOD, "preview", message="One.")
    alice_client.press(page, "publish")
    again = alice_client.press(page, "publish", message="Two.")
    assert again.status == 412
    assert again.fields["message"] == "Two."


def test_same_body_from_another_tab_is_a_conflict(bob_client: FormClient, acme: Namespace) -> None:
    bob_client.post_json("acme/x", GOOD, "submit")
    page = bob_client.post_json("acme/x", GOOD, "submit")
    assert page.status == 409
    assert "has already proposed this body for acme/x" in page.errors
    assert page.fields["body"] == GOOD


@pytest.mark.parametrize(
    ("tag", "status", "message"),
    [
        ("nvidai/x", 404, "There is no namespace nvidai"),
        ("acme/same", 409, "Source, lineage, target and tuning keys equal those of the newest"),
    ],
)
def test_refused_submission_keeps_the_input(
    bob_client: FormClient, acme: Namespace, tag: str, status: int, message: str
) -> None:
    publish("acme/same", GOOD)
    page = bob_client.post_json(
        tag, GOOD, "submit", message="mine", base="1.0.0" if "same" in tag else ""
    )
    assert page.status == status
    assert message in page.errors
    assert page.fields["message"] == "mine"
    assert not Proposal.objects.exists()


def test_invalid_body_is_not_submitted(bob_client: FormClient, acme: Namespace) -> None:
    page = bob_client.post_json("acme/x", '{"kind": "cudaa"}', "submit")
    assert page.status == 422
    assert page.step == "Check"
    assert not Proposal.objects.exists()


def test_stale_base_can_be_replaced_by_the_current_version(
    bob_client: FormClient, acme: Namespace
) -> None:
    publish("acme/x", {"kind": "llvm", "mcpu": "haswell"})
    page = bob_client.open("/submit?tag=acme/x")
    publish("acme/x", {"kind": "llvm", "mcpu": "skylake"})
    page = bob_client.press(page, "submit", **{"f:/num-cores": "8", "message": "eight"})
    assert page.status == 412
    assert "the last published is 2.0.0" in page.errors
    assert page.fields["f:/num-cores"] == "8"
    page = bob_client.press(page, "use-current")
    assert page.status == 200
    assert '"skylake"' in page.text, "the diff shows what has changed meanwhile"
    assert bob_client.press(page, "submit").status == 302
    assert ProposalRevision.objects.get().base == "2.0.0"


@pytest.fixture
def max_proposals(bob: User, acme: Namespace) -> None:
    """Create as many open proposals as a user may have."""
    for number in range(submission.MAX_UNDECIDED):
        Proposal.objects.create(
            tag=f"acme/x{number}", namespace=acme, submitter=bob, changed="2026-01-01T00:00Z"
        )


@pytest.mark.usefixtures("max_proposals")
def test_submission_over_the_limit_becomes_a_draft(bob_client: FormClient) -> None:
    page = bob_client.post_json("acme/x", GOOD, "submit", message="mine")
    draft = SavedDraft.objects.get()
    assert page.status == 429
    assert int(page.response["Retry-After"]) > 0
    assert "50 undecided proposals" in page.errors
    assert page.fields["body"] == GOOD
    assert page.action == f"/submit/{draft.pk}"
    assert json.loads(draft.form_data)["message"] == ["mine"]
    assert bob_client.press(page, "submit").status == 429
    assert SavedDraft.objects.count() == 1


def test_only_members_can_publish_after_a_preview(
    form_client: FormClient, bob_client: FormClient, alice_client: FormClient, acme: Namespace
) -> None:
    for user_client, is_offered in (
        (form_client, False),
        (bob_client, False),
        (alice_client, True),
    ):
        page = user_client.post_json("acme/x", GOOD, "preview")
        assert ("Publish now" in page.text) is is_offered
    page = bob_client.post_json("acme/x", GOOD, "publish")
    assert page.status == 403
    assert "bob may not publish in acme" in page.errors
    page = alice_client.post_json("acme/x", GOOD, "publish", message="first")
    assert page.step == "Preview", "the effects are shown first"
    assert "Review the effects" in page.text
    page = alice_client.press(page, "publish")
    assert page.response["Location"] == "/tags/acme/x"
    assert Version.objects.get(tag__text="acme/x").message == "first"
    page = alice_client.post_json("acme/x", '{"kind": "llvm"}', "publish")
    page = alice_client.press(page, "publish")
    assert page.status == 412, "a newer version is not overwritten"


def test_changes_after_the_preview_are_previewed_again(
    alice_client: FormClient, acme: Namespace
) -> None:
    page = alice_client.post_json("acme/x", GOOD, "preview")
    page = alice_client.press(page, "publish", body='{"kind": "cuda", "arch": "sm_90"}')
    assert page.step == "Preview"
    assert not Version.objects.filter(tag__text="acme/x").exists()
    assert alice_client.press(page, "publish").status == 302


def test_another_tag_than_was_previewed_is_previewed_first(
    alice_client: FormClient, acme: Namespace
) -> None:
    page = alice_client.post_json("acme/x", GOOD, "preview")
    page = alice_client.press(page, "publish", tag="acme/y")
    assert (page.step, page.fields["tag"]) == ("Preview", "acme/y")
    assert not acme.tags.exists()
    assert alice_client.press(page, "publish").response["Location"] == "/tags/acme/y"


def test_another_number_than_was_previewed_is_previewed_first(
    alice_client: FormClient, acme: Namespace
) -> None:
    """A yank changes what the body is compared with, but not what was published last."""
    publish("acme/x", GOOD)
    publish("acme/x", '{"kind": "llvm", "mcpu": "skylake"}')
    page = alice_client.open("/submit?tag=acme/x")
    page = alice_client.press(page, "preview", **{"f:/hardware/vendor": "Acme"})
    assert "2.0.1, PATCH" in page.text
    yank("acme/x@2.0.0")
    page = alice_client.press(page, "publish")
    assert "3.0.0, MAJOR" in page.text
    assert Version.objects.filter(tag__text="acme/x").count() == 2
    assert alice_client.press(page, "publish").status == 302


def test_form_sent_twice_publishes_one_version(alice_client: FormClient, acme: Namespace) -> None:
    page = alice_client.post_json("acme/x", GOOD, "preview")
    locations = [alice_client.press(page, "publish").response["Location"] for _ in range(2)]
    assert locations == ["/tags/acme/x", "/tags/acme/x"]
    assert Version.objects.filter(tag__text="acme/x").count() == 1


def test_publishing_is_not_offered_if_the_policy_requires_a_review(
    alice_client: FormClient, acme: Namespace
) -> None:
    Namespace.objects.filter(pk=acme.pk).update(policy=Policy.FOUR_EYES)
    page = alice_client.post_json("acme/x", GOOD, "preview")
    assert "Publish now" not in page.text
    page = alice_client.post_json("acme/x", GOOD, "publish")
    assert page.status == 403
    assert "Propose it instead." in page.errors


@pytest.fixture
def proposal(bob: User, acme: Namespace) -> Proposal:
    """Return a proposal of Bob's."""
    return submission.propose(
        Tag.parse("acme/x"),
        GOOD,
        message="first",
        base=None,
        actor=Actor.operator(bob),
        sources=["https://example.com"],
    )


def test_submitter_can_revise(bob_client: FormClient, proposal: Proposal) -> None:
    page = bob_client.open(f"/submit?proposal={proposal.pk}")
    assert page.status == 200
    assert page.fields["f:/mcpu"] == "haswell"
    assert page.fields["message"] == "first"
    assert page.fields["sources"] == "https://example.com"
    assert "Publish now" not in page.text
    page = bob_client.press(page, "submit", **{"f:/mcpu": "skylake", "text": "a newer CPU"})
    assert page.response["Location"] == f"/proposals/{proposal.pk}"
    newest = ProposalRevision.objects.get(number=2)
    assert json.loads(newest.source)["mcpu"] == "skylake"
    assert proposal.turns.get(action="revise").text == "a newer CPU"


def test_request_of_a_curator_stands_in_the_revise_form(
    bob_client: FormClient, alice: User, proposal: Proposal
) -> None:
    path = f"/submit?proposal={proposal.pk}"
    assert "requested changes" not in bob_client.open(path).text
    actor = Actor.operator(alice)
    review.request_changes(proposal.pk, seen=1, text="Which <cores>?", actor=actor)
    page = bob_client.open(path)
    assert "alice requested changes Which <cores>?" in page.text
    page = bob_client.press(page, "check", **{"f:/mcpu": "skylake"})
    assert "alice requested changes Which <cores>?" in page.text, "it stays during the work"
    bob_client.press(page, "submit")
    assert "requested changes" not in bob_client.open(path).text


def test_stale_revision_keeps_the_input(bob_client: FormClient, proposal: Proposal) -> None:
    page = bob_client.open(f"/submit?proposal={proposal.pk}")
    bob_client.press(page, "submit", **{"f:/mcpu": "skylake"})
    page = bob_client.press(page, "submit", **{"f:/mcpu": "znver3", "key": ""})
    assert page.status == 412
    assert "the newest is revision 2" in page.errors
    assert page.fields["f:/mcpu"] == "znver3"
    page = bob_client.press(page, "use-current")
    assert page.fields["seen"] == "2"
    assert bob_client.press(page, "submit").status == 302
    assert ProposalRevision.objects.count() == 3


def test_revision_cannot_change_the_tag(bob_client: FormClient, proposal: Proposal) -> None:
    page = bob_client.open(f"/submit?proposal={proposal.pk}")
    page = bob_client.press(page, "submit", tag="acme/y")
    assert page.status == 409
    assert "is for acme/x, and its tag cannot change" in page.errors


def test_decided_proposal_cannot_be_revised(
    bob_client: FormClient, alice: User, proposal: Proposal
) -> None:
    page = bob_client.open(f"/submit?proposal={proposal.pk}")
    review.reject(proposal.pk, seen=1, text="no", actor=Actor.operator(alice))
    page = bob_client.press(page, "submit", **{"f:/mcpu": "skylake"})
    assert page.status == 409
    assert page.fields["f:/mcpu"] == "skylake"


def test_rejected_proposal_can_be_proposed_again_by_its_submitter_only(
    bob_client: FormClient, alice_client: FormClient, alice: User, proposal: Proposal
) -> None:
    page, form = f"/proposals/{proposal.pk}", f"/submit?proposal={proposal.pk}"
    assert "Propose again" not in bob_client.open(page).text
    review.reject(proposal.pk, seen=1, text="no", actor=Actor.operator(alice))
    assert "Propose again" in bob_client.open(page).text
    assert "Propose again" not in alice_client.open(page).text
    assert alice_client.open(form).status == 403
    again = bob_client.open(form)
    assert "which is closed. Yours will be a new one." in again.text
    assert bob_client.press(again, "submit").status == 302
    assert Proposal.objects.count() == 2
    assert ProposalRevision.objects.filter(proposal=proposal).count() == 1


def test_accepted_proposal_is_not_proposed_again(
    bob_client: FormClient, alice: User, proposal: Proposal
) -> None:
    review.accept(proposal.pk, seen=1, actor=Actor.operator(alice))
    assert "Propose again" not in bob_client.open(f"/proposals/{proposal.pk}").text
    assert bob_client.open(f"/submit?proposal={proposal.pk}").status == 409


def test_only_the_submitter_can_revise(
    form_client: FormClient, alice_client: FormClient, proposal: Proposal
) -> None:
    assert alice_client.open(f"/submit?proposal={proposal.pk}").status == 403
    page = form_client.open(f"/submit?proposal={proposal.pk}")
    assert page.status == 302
    assert "next=/submit%3Fproposal%3D" in page.response["Location"]
    page = alice_client.post_json(
        "acme/x", '{"kind": "cuda"}', "submit", proposal=str(proposal.pk), seen="1"
    )
    assert page.status == 403
    assert ProposalRevision.objects.count() == 1


@pytest.mark.parametrize("number", ["x", "", "0", "-1", "99999999999999999999", "12345", "<b>"])
def test_unknown_proposal_is_404(bob_client: FormClient, number: str) -> None:
    page = bob_client.open(f"/submit?proposal={number}")
    assert page.status == 404
    assert "<b>" not in page.html.partition("<main ")[2]


def test_base_is_the_version_at_the_start(bob_client: FormClient, acme: Namespace) -> None:
    publish("acme/x", GOOD)
    page = bob_client.open("/submit?tag=acme/x")
    assert VersionNumber.parse(page.fields["base"]) == VersionNumber(1, 0, 0)


def test_fields_of_devices_are_shown_without_a_check(form_client: FormClient) -> None:
    page = form_client.start("acme/x", start_from="kind", kind="composite")
    page = form_client.press(
        page, "devices", **{"f:/devices/0#label": "npu", "f:/devices/0": "byoc"}
    )
    assert (page.status, page.step, page.errors) == (200, "Fill in", "")
    assert page.fields["f:/devices/0/codegen"] == ""
    page = form_client.press(page, "devices", **{"f:/devices/0/devices/0": "ext_dev"})
    page = form_client.press(
        page,
        "check",
        **{
            "f:/devices/0/codegen": "ethos-u",
            "f:/devices/0/devices/0#label": "core",
            "f:/devices/0/devices/0/model": "ethos-u55-128",
            "f:/hardware/memory_bytes": "4 GiB",
        },
    )
    assert "this would be 1.0.0" in page.text
    core = {"kind": "ext_dev", "model": "ethos-u55-128"}
    assert json.loads(form_client.press(page, "json").fields["body"]) == {
        "kind": "composite",
        "devices": {"npu": {"kind": "byoc", "codegen": "ethos-u", "devices": {"core": core}}},
        "hardware": {"memory_bytes": 4294967296},
    }


def test_page_with_the_most_fields_of_devices_is_small(form_client: FormClient) -> None:
    core = {"kind": "ext_dev", "model": "x"}
    device = {"kind": "byoc", "codegen": "ethos-u", "devices": {"core": core}}
    body = {"kind": "composite", "devices": {f"npu{n}": device for n in range(MAX_DETAILED)}}
    page = form_client.start("acme/x", start_from="text", source=json.dumps(body), format="body")
    assert f"f:/devices/{MAX_DETAILED - 1}/devices/0/model" in page.fields
    assert len(page.response.content) < 100_000
