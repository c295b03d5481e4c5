"""The events about tags: which tag each is about, and which belong to the renaming of one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from registry.domain.version_number import FIRST_NUMBER
from registry.models import Event

PUBLISHED, YANKED, DEPRECATED = "version.published", "version.yanked", "tag.deprecated"
ACTIONS = (PUBLISHED, YANKED, "version.unyanked", DEPRECATED, "tag.undeprecated")


def tag_of(event: Event) -> str:
    """Return the name of the tag that an event is about."""
    return event.subject.partition("@")[0]


def new_name(before: Event | None, event: Event) -> str:
    """Return the new name of a tag that an event renames, given the event before it; or nothing.

    A renaming publishes the first version of the new name, then deprecates the old one.
    """
    if event.action != DEPRECATED or before is None or before.action != PUBLISHED:
        return ""
    successor = json.loads(event.detail).get("successor") or ""
    is_rename = (before.number, before.subject, before.actor_id, before.request) == (
        event.number - 1,
        f"{successor}@{FIRST_NUMBER}",
        event.actor_id,
        event.request,
    )
    return successor if is_rename else ""


def renamings(events: Sequence[Event]) -> Mapping[Event, Event]:
    """Return the deprecation of the old name, by the publication of the new one. One query."""
    numbers = [event.number + 1 for event in events if event.action == PUBLISHED]
    if not numbers:
        return {}
    later = Event.objects.filter(number__in=numbers, action=DEPRECATED)
    follows = {event.number - 1: event for event in later}
    return {
        event: follows[event.number]
        for event in events
        if event.number in follows and new_name(event, follows[event.number])
    }
