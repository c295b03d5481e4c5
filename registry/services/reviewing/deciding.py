"""Decisions on proposals: accepted, sent back, rejected, withdrawn, commented on.

Checks the review permission and enforces four-eyes, again under the write lock.
"""

from __future__ import annotations

import json

from registry.domain.errors import Code, Refused
from registry.domain.number import Number
from registry.domain.reference import Tag as TagName
from registry.domain.reviewing import Act
from registry.models import Policy, Proposal, ProposalRevision, Turn, User, Version
from registry.services import publishing
from registry.services.permissions import Action, Actor
from registry.services.publishing import Pending
from registry.services.reviewing import turns
from registry.services.reviewing.proposing import last_published, refuse_others
from registry.services.writing import authorized_write


def accept(
    number: int, *, seen: int, actor: Actor | None, text: str = "", key: str = ""
) -> Version:
    """Publish a proposal's revision `seen`, to the credit of its submitter.

    Of two curators who accept at once one publishes; the other hears CONFLICT. Raises `Refused`:
    CONFLICT too where the tag has moved since the revision's base, PRECONDITION_FAILED for a
    stale revision, FORBIDDEN for one's own where the namespace wants another pair of eyes, and
    as publishing does.
    """
    permission, _ = turns.permitted(actor, Action.REVIEW, number)
    curator = permission.user
    text = turns.checked(text, needed=False)
    if turn := turns.sent(curator, key, Act.ACCEPT, number):
        return _published(turn)
    revision = _acceptable(number, seen, curator)
    try:
        pending = _prepared(revision)
    except Refused:
        _acceptable(number, seen, curator)  # meanwhile somebody may have decided, or published
        raise
    with authorized_write(permission):
        if turn := turns.sent(curator, key, Act.ACCEPT, number):
            return _published(turn)
        proposal = _acceptable(number, seen, curator).proposal
        author = proposal.submitter if proposal.submitter_id != curator.pk else None
        version = publishing.finish(pending, publisher=curator, author=author)
        turns.take(proposal, Act.ACCEPT, by=curator, text=text, key=key, version=version)
    return version


def _acceptable(number: int, seen: int, curator: User) -> ProposalRevision:
    """The revision that somebody may accept as it was seen. Raises `Refused`."""
    proposal = turns.known(number)
    turns.refuse_undone(proposal, Act.ACCEPT)
    refuse_own(proposal, curator)
    turns.refuse_stale(proposal, seen)
    revision = ProposalRevision.objects.get(proposal=proposal, number=seen)
    revision.proposal = proposal
    _refuse_moved(revision)
    return revision


def _prepared(revision: ProposalRevision) -> Pending:
    return publishing.prepare(
        TagName.parse(revision.proposal.tag),
        revision.source,
        message=revision.message,
        sources=json.loads(revision.sources),
        expected=_base(revision),
    )


def ask(number: int, *, seen: int, text: str, actor: Actor | None, key: str = "") -> Turn:
    """Ask the submitter for changes. Raises `Refused` as `reject`."""
    return _say(number, Act.ASK, Action.REVIEW, text, actor=actor, key=key, seen=seen)


def reject(number: int, *, seen: int, text: str, actor: Actor | None, key: str = "") -> Turn:
    """Decide against a proposal, and say why.

    Raises `Refused`: REQUEST_INVALID without a reason, PRECONDITION_FAILED for a stale revision,
    CONFLICT for a decided proposal.
    """
    return _say(number, Act.REJECT, Action.REVIEW, text, actor=actor, key=key, seen=seen)


def withdraw(number: int, *, actor: Actor | None, text: str = "", key: str = "") -> Turn:
    """Take a proposal back. Raises `Refused`: FORBIDDEN for anybody but the submitter, CONFLICT."""
    return _say(number, Act.WITHDRAW, Action.PROPOSE, text, actor=actor, key=key, needed=False)


def comment(number: int, *, text: str, actor: Actor | None, key: str = "") -> Turn:
    """Say something, whatever the state. Raises `Refused` (REQUEST_INVALID) for nothing."""
    return _say(number, Act.COMMENT, Action.PROPOSE, text, actor=actor, key=key)


def withdraw_all(user: User) -> int:
    """Take back all that somebody proposes who leaves; how many. Call inside `exclusive`."""
    found = Proposal.objects.undecided().filter(submitter=user).select_related("namespace")
    for proposal in found:
        turns.take(proposal, Act.WITHDRAW, by=user, text="The account was closed.")
    return len(found)


def _say(
    number: int,
    act: Act,
    action: Action,
    text: str,
    *,
    actor: Actor | None,
    key: str,
    seen: int | None = None,
    needed: bool = True,
) -> Turn:
    permission, proposal = turns.permitted(actor, action, number)
    if act is Act.WITHDRAW:
        refuse_others(proposal, permission.user, "withdraw")
    text = turns.checked(text, needed=needed)
    with authorized_write(permission):
        if turn := turns.sent(permission.user, key, act, number):
            return turn
        proposal = turns.known(number)
        turns.refuse_undone(proposal, act)
        if seen is not None:
            turns.refuse_stale(proposal, seen)
        return turns.take(proposal, act, by=permission.user, text=text, key=key)


def _published(turn: Turn) -> Version:
    """What a turn that accepted led to."""
    version = turn.proposal.version
    assert version  # noqa: S101 - the database sees to it
    return version


def _base(revision: ProposalRevision) -> Number | None:
    return Number.parse(revision.base) if revision.base else None


def _refuse_moved(revision: ProposalRevision) -> None:
    proposal = revision.proposal
    last = last_published(TagName.parse(proposal.tag))
    if revision.has_moved(last):
        raise Refused(
            Code.CONFLICT,
            f"{proposal.tag} has moved: {last} is the version last published, and revision "
            f"{revision.number} was written over {revision.base or 'none'}. "
            f"{proposal.submitter} has to revise it.",
        )


def is_own(proposal: Proposal, user: User) -> bool:
    """Whether another pair of eyes has to look: it is one's own, and the namespace says so."""
    is_strict = proposal.namespace.policy == Policy.FOUR_EYES
    return is_strict and proposal.submitter_id == user.pk


def refuse_own(proposal: Proposal, user: User) -> None:
    """Raise `Refused` (FORBIDDEN) for who may not accept what they proposed themselves."""
    if is_own(proposal, user):
        raise Refused(
            Code.FORBIDDEN,
            f"In {proposal.namespace} nobody accepts what they proposed: another curator does.",
        )
