"""Second thoughts: yank a version, deprecate a tag, and take either back."""

from __future__ import annotations

import json
from collections import Counter

from registry.domain import prose
from registry.domain.errors import Code, Refused, at, refuse_all
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Deprecation, Status, Tag, Version, Withdrawal
from registry.services import choosing, library, naming, permissions
from registry.services.permissions import Action, Actor
from registry.services.search import indexing
from registry.services.writing import authorized_write, record

MAX_REASON = 500  # characters: it is read in warnings, beside what was asked for


def yank(reference: Reference, *, reason: str, actor: Actor | None) -> Withdrawal:
    """Withdraw one exact version: exact pins still resolve, with the reason.

    Raises `Refused`: REFERENCE_INVALID for a reference without a full number, CONFLICT if it is
    yanked or goes through an alias.
    """
    return _withdraw(reference, reason=reason, actor=actor, yanked=True)


def unyank(reference: Reference, *, reason: str, actor: Actor | None) -> Withdrawal:
    """Take a yank back.

    Raises `Refused` (CONFLICT) where it is not yanked, or where a later version of its MAJOR lacks
    one of its tuning keys: `@MAJOR` would then promise what that version does not keep. CYCLE where
    others have meanwhile been made from the tag that this version is made from. Else as `yank`.
    """
    return _withdraw(reference, reason=reason, actor=actor, yanked=False)


def _withdraw(
    reference: Reference, *, reason: str, actor: Actor | None, yanked: bool
) -> Withdrawal:
    refuse_inexact(reference)
    action = Action.YANK if yanked else Action.UNYANK
    permission = permissions.require(actor, action, reference)
    reason = _checked(reason)
    with authorized_write(permission):
        naming.tag_named(reference)
        choice = choosing.one(reference)
        if choice.version.yanked == yanked:
            state = "yanked already" if yanked else "not yanked"
            raise Refused(Code.CONFLICT, f"{choice.exact} is {state}.")
        if not yanked:
            version = Version.objects.select_related("tag").get(pk=choice.version.pk)
            _refuse_lost_keys(version)
            _refuse_cycle(version)
        sequence = Withdrawal.objects.filter(version=choice.version).count() + 1
        made = Withdrawal.objects.create(
            version=choice.version,
            sequence=sequence,
            yanked=yanked,
            reason=reason,
            actor=permission.user,
        )
        made.version.tag = choice.tag
        indexing.refresh([choice.tag.pk])
        record(
            "version.yanked" if yanked else "version.unyanked",
            choice.exact,
            actor=permission.user,
            namespace=TagName.parse(choice.tag.text).namespace,
            reason=reason,
            before=Status.ACTIVE if yanked else Status.YANKED,
            after=Status.YANKED if yanked else Status.ACTIVE,
        )
    return made


def refuse_inexact(reference: Reference) -> None:
    """Refuse what need not name one version: a digest can be that of several.

    Raises `Refused` (REFERENCE_INVALID).
    """
    if not reference.selector.is_exact:
        raise Refused(
            Code.REFERENCE_INVALID,
            f"{reference} names no one version: say which, as in {reference.text}@1.0.0.",
        )


def _refuse_lost_keys(version: Version) -> None:
    keys = _keys(version)
    later = Version.objects.filter(tag=version.tag, major=version.major, pk__gt=version.pk)
    for other in later.with_withdrawal().select_related("tag"):
        if not other.yanked and keys - _keys(other):
            raise Refused(
                Code.CONFLICT,
                f"{other.exact}, published later, lacks a tuning key of {version.exact}; "
                f"@{version.major} would promise what it does not keep.",
            )


def _refuse_cycle(version: Version) -> None:
    newest = choosing.newest([version.tag_id]).get(version.tag_id)
    would_be_newest = newest is None or newest.number < version.number
    if would_be_newest and library.leads_back(version):
        raise Refused(
            Code.CYCLE, f"With {version.exact} back, {version.tag} would be made from itself."
        )


def _keys(version: Version) -> Counter[str]:
    return Counter(json.loads(version.tuning_keys).values())


def deprecate(
    tag: TagName, *, reason: str, actor: Actor | None, successor: TagName | None = None
) -> Deprecation:
    """Mark a tag as superseded, perhaps by another.

    Raises `Refused`: TAG_UNKNOWN; CONFLICT where it is deprecated, or a name is an alias.
    """
    return _deprecate(tag, reason=reason, actor=actor, successor=successor, deprecated=True)


def undeprecate(tag: TagName, *, reason: str, actor: Actor | None) -> Deprecation:
    """Take a deprecation back. Raises `Refused` (TAG_UNKNOWN, CONFLICT) as `deprecate` does."""
    return _deprecate(tag, reason=reason, actor=actor, successor=None, deprecated=False)


def _deprecate(
    name: TagName, *, reason: str, actor: Actor | None, successor: TagName | None, deprecated: bool
) -> Deprecation:
    action = Action.DEPRECATE if deprecated else Action.UNDEPRECATE
    permission = permissions.require(actor, action, name)
    reason = _checked(reason)
    with authorized_write(permission):
        tag = _known(name)
        with at("/successor"):
            follower = _known(successor) if successor else None
            if follower == tag:
                raise Refused(Code.CONFLICT, f"{name} cannot succeed itself.")
        last = tag.deprecations.select_related("successor").order_by("-sequence").first()
        if bool(last and last.deprecated) == deprecated:
            state = "deprecated already" if deprecated else "not deprecated"
            raise Refused(Code.CONFLICT, f"{name} is {state}.")
        made = Deprecation.objects.create(
            tag=tag,
            sequence=last.sequence + 1 if last else 1,
            deprecated=deprecated,
            reason=reason,
            successor=follower,
            actor=permission.user,
        )
        indexing.refresh([tag.pk])
        record(
            "tag.deprecated" if deprecated else "tag.undeprecated",
            name,
            actor=permission.user,
            namespace=name.namespace,
            reason=reason,
            successor=str(successor) if successor else None,
            before=_standing(last),
            after=_standing(made),
        )
    return made


def _standing(last: Deprecation | None) -> dict[str, str | None]:
    """What the last word on a tag says of it, as an event keeps it."""
    status = Status.DEPRECATED if last and last.deprecated else Status.ACTIVE
    return {
        "status": str(status),
        "successor": last.successor.text if last and last.successor else None,
    }


def _known(name: TagName) -> Tag:
    tag = naming.tag_named(name)
    if tag is None:
        reference = Reference(str(name))
        raise choosing.explained(choosing.unknown(reference), reference)
    return tag


def _checked(reason: str) -> str:
    reason = prose.tidy(reason)
    refuse_all(prose.faults(reason, "/reason", most=MAX_REASON, needed=True))
    return reason
