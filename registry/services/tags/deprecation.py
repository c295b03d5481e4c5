"""Deprecates tags, and undoes deprecations."""

from __future__ import annotations

from django.db.models import QuerySet

from registry.domain.errors import Code, Refused, report_errors_at
from registry.domain.reference import Tag as TagName
from registry.domain.user_text import check_reason
from registry.models import Deprecation, Status, Tag
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
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
        indexing.reindex_tags([tag.pk])
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
