"""Submits and revises proposals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from registry.domain import user_text
from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalAction
from registry.domain.reference import Tag as TagName
from registry.models import Proposal, ProposalRevision, Turn, User
from registry.services.core import permissions, remarks
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write, next_number
from registry.services.namespaces.lookup import require_namespace
from registry.services.proposals import approvals, timeline
from registry.services.versions import checking, publishing
from registry.services.versions.checking import CheckedBody
from registry.services.versions.drafting import versions_of
from ttag_rules.version_number import VersionNumber

MAX_UNDECIDED = 50  # proposals of one account, to keep queues readable
MAX_REVISIONS = 100  # of a proposal; responses contain all their bodies


@dataclass(frozen=True, slots=True)
class Submission:
    """A body to publish, with its message, its sources and its base."""

    source: str
    message: str
    sources: Sequence[str]
    base: VersionNumber | None  # the last published version at the time of writing

    @property
    def base_text(self) -> str:
        """Return the base as it is stored."""
        return str(self.base or "")

    def equals(self, revision: ProposalRevision) -> bool:
        """Return whether a revision has this body, message and sources."""
        stored = (revision.source, revision.message, revision.source_urls)
        return stored == (self.source, self.message, [*self.sources])


def propose(
    tag: TagName,
    source: str,
    *,
    message: str,
    base: VersionNumber | None,
    actor: Actor | None,
    sources: Sequence[str] = (),
    key: str = "",
    checked: CheckedBody | None = None,
) -> Proposal:
    """Submit a body for review. Idempotent by `key`, which identifies the form.

    `base` is the number of the last published version, None if there is none. `checked` avoids
    drafting the body again. Raises `Refused`: the body's faults, NOTHING_CHANGED,
    NAMESPACE_UNKNOWN, PRECONDITION_FAILED if the tag has moved, RATE_LIMITED with too many
    undecided proposals, CONFLICT for an alias or a duplicate of the user's own proposal.
    """
    permission = permissions.require(actor, Action.PROPOSE, tag)
    submitter = permission.user
    submission = Submission(source, user_text.normalize_text(message), sources, base)
    if turn := timeline.earlier_turn(submitter, key, ProposalAction.SUBMIT):
        return _resubmitted_proposal(turn, tag, submission)
    _check(tag, submission, checked)
    namespace = require_namespace(tag.namespace)
    with authorized_write(permission):
        if turn := timeline.earlier_turn(submitter, key, ProposalAction.SUBMIT):
            return _resubmitted_proposal(turn, tag, submission)
        publishing.refuse_stale(versions_of(tag), base)
        _refuse_duplicate(tag, source, submitter)
        _refuse_too_many_undecided(submitter)
        proposal = Proposal.objects.create(
            pk=next_number(Proposal),
            tag=str(tag),
            namespace=namespace,
            submitter=submitter,
            changed=timezone.now(),
        )
        _write(proposal, submission)
        timeline.append_turn(proposal, ProposalAction.SUBMIT, author=submitter, key=key)
        approvals.approve_submitted(proposal, permission.actor)
    return proposal


def revise(
    number: int,
    source: str,
    *,
    message: str,
    base: VersionNumber | None,
    seen: int,
    actor: Actor | None,
    sources: Sequence[str] = (),
    text: str = "",
    key: str = "",
    checked: CheckedBody | None = None,
) -> Proposal:
    """Add a revision that replaces the revision `seen`; `text` describes the changes.

    Raises `Refused` as `propose`; FORBIDDEN if somebody else submitted it, PRECONDITION_FAILED if
    the revision is stale, CONFLICT if the proposal is decided, NOTHING_CHANGED if it is equal.
    """
    permission, proposal = timeline.require_permission(actor, Action.PROPOSE, number)
    submitter = permission.user
    refuse_others(proposal, submitter, "revise")
    tag = TagName.parse(proposal.tag)
    submission = Submission(source, user_text.normalize_text(message), sources, base)
    text = remarks.check_text(text, needed=False)
    if turn := timeline.earlier_turn(submitter, key, ProposalAction.REVISE, number, text=text):
        return _resubmitted_proposal(turn, tag, submission)
    timeline.refuse_impossible(proposal, ProposalAction.REVISE)
    _check(tag, submission, checked)
    with authorized_write(permission):
        if turn := timeline.earlier_turn(submitter, key, ProposalAction.REVISE, number, text=text):
            return _resubmitted_proposal(turn, tag, submission)
        proposal = timeline.find_proposal(number)
        timeline.refuse_impossible(proposal, ProposalAction.REVISE)
        timeline.refuse_stale(proposal, seen)
        _refuse_too_many_revisions(proposal)
        publishing.refuse_stale(versions_of(tag), base)
        _refuse_unchanged(proposal, submission)
        proposal.revision += 1
        timeline.append_turn(proposal, ProposalAction.REVISE, author=submitter, text=text, key=key)
        _write(proposal, submission)
        approvals.approve_submitted(proposal, permission.actor)
    return proposal


def last_published(tag: TagName) -> VersionNumber | None:
    """Return the number of a tag's last published version; None if there is none."""
    history = versions_of(tag)
    return history[-1].number if history else None


def _resubmitted_proposal(turn: Turn, tag: TagName, submission: Submission) -> Proposal:
    """Return the proposal of a resent form. Raises `Refused` (CONFLICT) if the content differs.

    Not if the base does: a client that states none sends that of the day.
    """
    proposal = turn.proposal
    revision = ProposalRevision.objects.get(proposal=proposal, number=turn.revision)
    if proposal.tag != str(tag) or not submission.equals(revision):
        raise Refused(
            Code.CONFLICT,
            f"This form was already submitted, with other content, as revision {turn.revision} of "
            f"proposal {proposal.pk}. Revise that proposal, or start a new one.",
        )
    return proposal


def refuse_others(proposal: Proposal, user: User, verb: str) -> None:
    """Raise `Refused` (FORBIDDEN) unless the user submitted the proposal."""
    if proposal.submitter_id != user.pk:
        raise Refused(
            Code.FORBIDDEN,
            f"{user} may not {verb} proposal {proposal.pk}; allowed: {proposal.submitter}.",
        )


def _check(tag: TagName, submission: Submission, checked: CheckedBody | None) -> None:
    """Raise `Refused` unless a submission can be published now."""
    publishing.check_message(submission.message, submission.sources)
    is_drafted = checked and checked.matches(tag, submission.source)
    draft = checked.draft if checked and is_drafted else checking.check(tag, submission.source)
    publishing.require_number(draft)


def _write(proposal: Proposal, submission: Submission) -> None:
    ProposalRevision.objects.create(
        proposal=proposal,
        number=proposal.revision,
        base=submission.base_text,
        source=submission.source,
        message=submission.message,
        sources=json.dumps(list(submission.sources)),
    )


def _refuse_too_many_revisions(proposal: Proposal) -> None:
    if proposal.revision >= MAX_REVISIONS:
        raise Refused(
            Code.CONFLICT,
            f"{proposal} has {MAX_REVISIONS} revisions, the maximum. "
            "Withdraw it and submit a new one.",
        )


def _refuse_too_many_undecided(submitter: User) -> None:
    count = Proposal.objects.undecided().filter(submitter=submitter).count()
    if count >= MAX_UNDECIDED:
        raise Refused(
            Code.RATE_LIMITED,
            f"{submitter} has {count} undecided proposals: at most {MAX_UNDECIDED} are allowed. "
            "Withdraw one, or wait for curators.",
        )


def _refuse_duplicate(tag: TagName, source: str, submitter: User) -> None:
    """Raise `Refused` (CONFLICT) if the submitter has an undecided proposal with this body."""
    undecided = Proposal.objects.undecided().filter(tag=str(tag), submitter=submitter)
    newest = ProposalRevision.objects.filter(proposal__in=undecided, source=source)
    for revision in newest.select_related("proposal"):
        if revision.number == revision.proposal.revision:
            raise Refused(
                Code.CONFLICT,
                f"{submitter} has already proposed this body for {tag}: "
                f"proposal {revision.proposal_id}.",
            )


def _refuse_unchanged(proposal: Proposal, submission: Submission) -> None:
    revision = ProposalRevision.objects.get(proposal=proposal, number=proposal.revision)
    if submission.equals(revision) and revision.base == submission.base_text:
        raise Refused(
            Code.NOTHING_CHANGED,
            f"This equals revision {revision.number} of proposal {proposal.pk}.",
        )
