"""Deprecates tags, and undoes deprecations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from registry.domain.errors import Code, Refused, report_errors_at
from registry.domain.reference import Tag as TagName
from registry.domain.user_text import check_reason
from registry.models import Deprecation, Status, Tag, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import EventEntry, append_event, append_events
from registry.services.search import indexing
from registry.services.versions import tag_names


def deprecate(
    tag: TagName, *, reason: str, actor: Actor | None, successor: TagName | None = None
) -> Deprecation:
    """Mark a tag as superseded, optionally by another tag.

    Raises `Refused`: TAG_UNKNOWN; CONFLICT if it is already deprecated, or a name is an alias.
    """
    return _deprecate(tag, reason=reason, actor=actor, successor=successor, deprecated=True)


def undeprecate(tag: TagName, *, reason: str, actor: Actor | None) -> Deprecation:
    """Undo a deprecation. Raises `Refused` (TAG_UNKNOWN, CONFLICT) as `deprecate` does."""
    return _deprecate(tag, reason=reason, actor=actor, successor=None, deprecated=False)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A tag that another one supersedes, with the reason."""

    tag: TagName
    successor: TagName
    reason: str


def replace_all(replacements: Sequence[Replacement], *, actor: Actor | None) -> None:
    """Deprecate tags in favour of their successors, all in one transaction.

    A tag that is already deprecated gets the new reason and successor. Takes as many queries for
    one tag as for 500. Raises `Refused` (FORBIDDEN, UNAUTHENTICATED), and `KeyError` for a tag
    that does not exist.
    """
    names = [replacement.tag for replacement in replacements]
    permission = permissions.require_all(actor, Action.DEPRECATE, names)
    with authorized_write(permission):
        texts = {str(name) for it in replacements for name in (it.tag, it.successor)}
        tags = {tag.text: tag for tag in Tag.objects.filter(text__in=texts)}
        last = {row.tag_id: row for row in _history(tags.values())}
        rows = [_replaced(replacement, tags, last, permission.user) for replacement in replacements]
        Deprecation.objects.bulk_create(rows)
        indexing.index_status([row.tag_id for row in rows], is_deprecated=True)
        append_events(
            [_replacement_event(row, last.get(row.tag_id)) for row in rows], actor=permission.user
        )


def _history(tags: Iterable[Tag]) -> QuerySet[Deprecation]:
    """Return the deprecations of tags, the last one of each tag last."""
    rows = Deprecation.objects.filter(tag__in=[tag.pk for tag in tags])
    return rows.select_related("successor").order_by("sequence")


def _replaced(
    replacement: Replacement, tags: Mapping[str, Tag], last: Mapping[int, Deprecation], user: User
) -> Deprecation:
    tag = tags[str(replacement.tag)]
    return Deprecation(
        tag=tag,
        sequence=last[tag.pk].sequence + 1 if tag.pk in last else 1,
        deprecated=True,
        reason=check_reason(replacement.reason),
        successor=tags[str(replacement.successor)],
        actor=user,
    )


def _replacement_event(row: Deprecation, last: Deprecation | None) -> EventEntry:
    detail = {
        "reason": row.reason,
        "successor": row.successor.text if row.successor else None,
        "before": _event_state(last),
        "after": _event_state(row),
    }
    return EventEntry("tag.deprecated", row.tag.text, row.tag.text.partition("/")[0], detail)


def all_deprecations() -> QuerySet[Deprecation]:
    """Return all deprecations with their tags."""
    return Deprecation.objects.select_related("tag", "successor", "actor")


def deprecations_of(tag: Tag) -> QuerySet[Deprecation]:
    """Return the deprecations of a tag, latest first."""
    return all_deprecations().filter(tag=tag).order_by("-sequence")


def _deprecate(
    name: TagName, *, reason: str, actor: Actor | None, successor: TagName | None, deprecated: bool
) -> Deprecation:
    action = Action.DEPRECATE if deprecated else Action.UNDEPRECATE
    permission = permissions.require(actor, action, name)
    reason = check_reason(reason)
    with authorized_write(permission):
        tag = tag_names.require_tag(name)
        with report_errors_at("/successor"):
            successor_tag = tag_names.require_tag(successor) if successor else None
            if successor_tag == tag:
                raise Refused(Code.CONFLICT, f"{name} cannot be its own successor.")
        last = tag.deprecations.select_related("successor").order_by("-sequence").first()
        if bool(last and last.deprecated) == deprecated:
            state = "already deprecated" if deprecated else "not deprecated"
            raise Refused(Code.CONFLICT, f"{name} is {state}.")
        deprecation = Deprecation.objects.create(
            tag=tag,
            sequence=last.sequence + 1 if last else 1,
            deprecated=deprecated,
            reason=reason,
            successor=successor_tag,
            actor=permission.user,
        )
        indexing.index_status([tag.pk], is_deprecated=deprecated)
        append_event(
            "tag.deprecated" if deprecated else "tag.undeprecated",
            name,
            actor=permission.user,
            reason=reason,
            successor=str(successor) if successor else None,
            before=_event_state(last),
            after=_event_state(deprecation),
        )
    return deprecation


def _event_state(last: Deprecation | None) -> dict[str, str | None]:
    """Return the state of a tag after its last deprecation, as events record it."""
    status = Status.DEPRECATED if last and last.deprecated else Status.ACTIVE
    return {
        "status": str(status),
        "successor": last.successor.text if last and last.successor else None,
    }
