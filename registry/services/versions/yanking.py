"""Yanks versions, and undoes yanks."""

from __future__ import annotations

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.domain.user_text import check_reason
from registry.domain.version_number import with_neighbours
from registry.domain.versioning import find_loss
from registry.models import Status, Version, Withdrawal
from registry.models.versions import NUMBERS
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
from registry.services.kinds import kinds
from registry.services.search import indexing
from registry.services.versions import dependencies, selection, tag_names
from registry.services.versions.drafting import load_base


def yank(reference: Reference, *, reason: str, actor: Actor | None) -> Withdrawal:
    """Yank a version: exact references still resolve, with the reason; floating ones skip it.

    Raises `Refused`: REFERENCE_INVALID for a reference without a full number, CONFLICT if the
    version is already yanked or the reference goes through an alias.
    """
    return _withdraw(reference, reason=reason, actor=actor, yanked=True)


def unyank(reference: Reference, *, reason: str, actor: Actor | None) -> Withdrawal:
    """Undo the yank of a version.

    Raises `Refused`: CONFLICT if the version is not yanked, or if it or the next active version
    above it in its MAJOR would not keep the tuning records of the one below; CYCLE if the tag would
    depend on itself through versions published meanwhile; otherwise as `yank`.
    """
    return _withdraw(reference, reason=reason, actor=actor, yanked=False)


def _withdraw(
    reference: Reference, *, reason: str, actor: Actor | None, yanked: bool
) -> Withdrawal:
    refuse_inexact(reference)
    action = Action.YANK if yanked else Action.UNYANK
    permission = permissions.require(actor, action, reference)
    reason = check_reason(reason)
    with authorized_write(permission):
        tag_names.find_tag(reference)
        choice = selection.select_one(reference)
        if choice.version.yanked == yanked:
            state = "already yanked" if yanked else "not yanked"
            raise Refused(Code.CONFLICT, f"{choice.exact} is {state}.")
        if not yanked:
            version = Version.objects.select_related("tag").get(pk=choice.version.pk)
            _refuse_lost_records(version)
            _refuse_cycle(version)
        sequence = Withdrawal.objects.filter(version=choice.version).count() + 1
        withdrawal = Withdrawal.objects.create(
            version=choice.version,
            sequence=sequence,
            yanked=yanked,
            reason=reason,
            actor=permission.user,
        )
        withdrawal.version.tag = choice.tag
        indexing.reindex_tags([choice.tag.pk])
        append_event(
            "version.yanked" if yanked else "version.unyanked",
            choice.exact,
            actor=permission.user,
            reason=reason,
            before=Status.ACTIVE if yanked else Status.YANKED,
            after=Status.YANKED if yanked else Status.ACTIVE,
        )
    return withdrawal


def refuse_inexact(reference: Reference) -> None:
    """Raise `Refused` (REFERENCE_INVALID) unless the reference is a full version number.

    Several versions can have the same digest.
    """
    if not reference.selector.is_exact:
        raise Refused(
            Code.REFERENCE_INVALID,
            f"{reference} is not an exact version; use a full number, as in "
            f"{reference.text}@1.0.0.",
        )


def _refuse_lost_records(version: Version) -> None:
    """Raise `Refused` (CONFLICT) if `@MAJOR` would lose records with the version active again.

    A yank cannot: keeping records is transitive (decision 107).
    """
    active = Version.objects.filter(tag=version.tag, major=version.major).not_yanked()
    keys = {row.number: row.pk for row in active.only(*NUMBERS)} | {version.number: version.pk}
    compared = [keys[number] for number in with_neighbours(version.number, keys)]
    rows = Version.objects.filter(pk__in=compared).select_related("tag")
    editions = {row.number: load_base(row).edition for row in rows}
    if loss := find_loss(editions, kinds.current_kinds().kinds):
        lower, higher = (f"{version.tag}@{number}" for number in loss)
        raise Refused(
            Code.CONFLICT,
            f"{higher} does not keep all tuning records of {lower}, as @{version.major} promises "
            f"while both are active. Publish the body of {version.exact} again instead: it gets a "
            "number of its own.",
        )


# Decision 016: a wrong version must always be yankable; taking it back need not be.
def _refuse_cycle(version: Version) -> None:
    newest = Version.objects.newest_of([version.tag_id]).get(version.tag_id)
    would_be_newest = newest is None or newest.number < version.number
    if would_be_newest and dependencies.would_depend_on_itself(version):
        raise Refused(
            Code.CYCLE, f"With {version.exact} unyanked, {version.tag} would depend on itself."
        )
