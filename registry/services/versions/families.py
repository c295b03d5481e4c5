"""Families: tags that describe what several machines share, and that nobody builds for."""

from __future__ import annotations

from collections.abc import Sequence

from registry.domain.errors import Code, Refused
from registry.domain.reference import Tag as TagName
from registry.models import Tag, User, Version
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import EventEntry, append_events
from registry.services.search import indexing
from registry.services.versions import linting, tag_names


def set_family(name: TagName, *, is_family: bool, actor: Actor | None) -> Tag:
    """Mark a tag as a family, or as none; its lints and its place are recomputed.

    Raises `Refused`: TAG_UNKNOWN; CONFLICT if it is one already, or none, or if the name is an
    alias.
    """
    permission = permissions.require(actor, Action.MARK_FAMILY, name)
    with authorized_write(permission):
        tag = tag_names.require_tag(name)
        if tag.is_family == is_family:
            state = "already" if is_family else "not"
            raise Refused(Code.CONFLICT, f"{name} is {state} a family.")
        change_family(tag, is_family=is_family, user=permission.user)
        indexing.reindex_tags([tag.pk])
    return tag


# Decision 053: a flag of the tag: a version cannot change, and people's use of it can.
def change_family(tag: Tag, *, is_family: bool, user: User) -> None:
    """Change the flag of a tag with the lints that depend on it. Call under the write lock.

    The caller indexes the tag again: its place in lists depends on the flag, too.
    """
    tag.is_family = is_family
    tag.save(update_fields=["is_family"])
    linting.relint(list(Version.objects.filter(tag=tag).values_list("pk", flat=True)))
    append_events([_event(tag)], actor=user)


def mark_families(tags: Sequence[Tag], *, user: User) -> None:
    """Mark new tags, which have no version yet, as families. Call under the write lock."""
    if tags:
        for tag in tags:
            tag.is_family = True
        Tag.objects.bulk_update(tags, ["is_family"])
        append_events([_event(tag) for tag in tags], actor=user)


def _event(tag: Tag) -> EventEntry:
    change = {"before": {"family": not tag.is_family}, "after": {"family": tag.is_family}}
    return EventEntry("tag.family_set", tag.text, tag.text.partition("/")[0], change)
