"""What submitters do: propose a body for a tag, and revise it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.utils import timezone

from registry.domain import user_text
from registry.domain.errors import Code, Refused
from registry.domain.proposal_states import ProposalAction
from registry.domain.reference import Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.models import Proposal, ProposalRevision, Turn, User
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import authorized_write
from registry.services.namespaces.lookup import known_namespace
from registry.services.proposals import timeline
from registry.services.versions import checking, publishing
from registry.services.versions.checking import CheckedBody
from registry.services.versions.drafting import versions_of

MAX_UNDECIDED = 50  # undecided proposals of one account: a queue that curators can read
MAX_REVISIONS = 100  # of a proposal, which an answer shows with all their bodies


@dataclass(frozen=True, slots=True)
class Submission:
    """What somebody would have published: the body, and what is said about it."""

    source: str
    message: str
    sources: Sequence[str]
    base: VersionNumber | None  # the version last published when it was written


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
    """Submit a body for review; a form sent twice, known by its key, makes one proposal.

    `base` is the number of the version most recently published, None where there is none.
    `checked` spares drafting the body again. Raises `Refused`: the body's faults, NOTHING_CHANGED,
    NAMESPACE_UNKNOWN, PRECONDITION_FAILED where the tag has moved, RATE_LIMITED for who has fifty
    undecided, CONFLICT for an alias and for what the same person proposes already.
    """
    permission = permissions.require(actor, Action.PROPOSE, tag)
    submitter = permission.user
    if turn := timeline.earlier_turn(submitter, key, ProposalAction.SUBMIT):
        return _sent_before(turn, tag, source)
    wish = _checked(tag, Submission(source, message, sources, base), checked)
    namespace = known_namespace(tag.namespace)
    with authorized_write(permission):
        if turn := timeline.earlier_turn(submitter, key, ProposalAction.SUBMIT):
            return _sent_before(turn, tag, source)
        publishing.refuse_stale(versions_of(tag), base)
        _refuse_again(tag, source, submitter)
        _refuse_crowd(submitter)
        made = Proposal.objects.create(
            pk=_next_number(),
            tag=str(tag),
            namespace=namespace,
            submitter=submitter,
            changed=timezone.now(),
        )
        _write(made, wish)
        timeline.append_turn(made, ProposalAction.SUBMIT, by=submitter, key=key)
    return made


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
    """Put another revision in place of the one that was seen; `text` says what is different.

    Raises `Refused` as `propose`; FORBIDDEN for anybody but the submitter, PRECONDITION_FAILED
    for a stale revision, CONFLICT for a decided proposal, NOTHING_CHANGED for the same again.
    """
    permission, proposal = timeline.require_permission(actor, Action.PROPOSE, number)
    submitter = permission.user
    refuse_others(proposal, submitter, "revise")
    tag = TagName.parse(proposal.tag)
    if turn := timeline.earlier_turn(submitter, key, ProposalAction.REVISE, number):
        return _sent_before(turn, tag, source)
    timeline.refuse_impossible(proposal, ProposalAction.REVISE)
    text = timeline.check_text(text, needed=False)
    wish = _checked(tag, Submission(source, message, sources, base), checked)
    with authorized_write(permission):
        if turn := timeline.earlier_turn(submitter, key, ProposalAction.REVISE, number):
            return _sent_before(turn, tag, source)
        proposal = timeline.find_proposal(number)
        timeline.refuse_impossible(proposal, ProposalAction.REVISE)
        timeline.refuse_stale(proposal, seen)
        _refuse_many(proposal)
        publishing.refuse_stale(versions_of(tag), base)
        _refuse_same(proposal, wish)
        proposal.revision += 1
        timeline.append_turn(proposal, ProposalAction.REVISE, by=submitter, text=text, key=key)
        _write(proposal, wish)
    return proposal


def last_published(tag: TagName) -> VersionNumber | None:
    """What a body for a tag would be written over now."""
    history = versions_of(tag)
    return history[-1].number if history else None


def _sent_before(turn: Turn, tag: TagName, source: str) -> Proposal:
    """What a form did that is sent again. Raises `Refused` (CONFLICT) if it holds another body."""
    proposal = turn.proposal
    held = ProposalRevision.objects.get(proposal=proposal, number=turn.revision)
    if (proposal.tag, held.source) != (str(tag), source):
        raise Refused(
            Code.CONFLICT,
            f"This form was submitted as revision {turn.revision} of proposal {proposal.pk}, with "
            "something else in it. Revise that proposal, or send this one as another.",
        )
    return proposal


def refuse_others(proposal: Proposal, user: User, verb: str) -> None:
    """Raise `Refused` (FORBIDDEN) for anybody but the submitter."""
    if proposal.submitter_id != user.pk:
        raise Refused(
            Code.FORBIDDEN,
            f"{user} may not {verb} proposal {proposal.pk}; who may: {proposal.submitter}.",
        )


def _checked(tag: TagName, wish: Submission, checked: CheckedBody | None) -> Submission:
    """What can be published today, as far as anybody can tell. Raises `Refused`."""
    message = user_text.strip_text(wish.message)
    publishing.check_message(message, wish.sources)
    is_drafted = checked and checked.is_of(tag, wish.source)
    draft = checked.draft if checked and is_drafted else checking.check(tag, wish.source)
    publishing.next_of(draft)
    return Submission(wish.source, message, wish.sources, wish.base)


def _write(proposal: Proposal, wish: Submission) -> None:
    ProposalRevision.objects.create(
        proposal=proposal,
        number=proposal.revision,
        base=str(wish.base) if wish.base else "",
        source=wish.source,
        message=wish.message,
        sources=json.dumps(list(wish.sources)),
    )


def _next_number() -> int:
    """1, 2, 3 and so on without gaps, on every database. Call inside `exclusive`."""
    return (Proposal.objects.aggregate(last=Max("pk"))["last"] or 0) + 1


def _refuse_many(proposal: Proposal) -> None:
    if proposal.revision >= MAX_REVISIONS:
        raise Refused(
            Code.CONFLICT,
            f"{proposal} has {MAX_REVISIONS} revisions: too many to follow. "
            "Withdraw it and propose anew.",
        )


def _refuse_crowd(submitter: User) -> None:
    count = Proposal.objects.undecided().filter(submitter=submitter).count()
    if count >= MAX_UNDECIDED:
        raise Refused(
            Code.RATE_LIMITED,
            f"{submitter} has {count} proposals that nobody has decided on: at most "
            f"{MAX_UNDECIDED}. Withdraw one, or wait for curators.",
        )


def _refuse_again(tag: TagName, source: str, submitter: User) -> None:
    """The same body for the same tag, undecided: sent twice without a key, or from two tabs."""
    undecided = Proposal.objects.undecided().filter(tag=str(tag), submitter=submitter)
    newest = ProposalRevision.objects.filter(proposal__in=undecided, source=source)
    for revision in newest.select_related("proposal"):
        if revision.number == revision.proposal.revision:
            raise Refused(
                Code.CONFLICT,
                f"{submitter} proposes this very body for {tag} already: "
                f"proposal {revision.proposal_id}.",
            )


def _refuse_same(proposal: Proposal, wish: Submission) -> None:
    held = ProposalRevision.objects.get(proposal=proposal, number=proposal.revision)
    base = str(wish.base) if wish.base else ""
    said = (wish.source, wish.message, json.dumps(list(wish.sources)), base)
    if said == (held.source, held.message, held.sources, held.base):
        raise Refused(
            Code.NOTHING_CHANGED, f"This is revision {held.number} of proposal {proposal.pk}."
        )
