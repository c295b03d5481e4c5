"""Names what supersedes the deprecated tags of a list."""

from __future__ import annotations

from collections.abc import Collection

from registry.models import Entry, Status, Tag


def add_successors(entries: Collection[Entry]) -> None:
    """Set `successor` of the deprecated ones among some entries. One query, if there are any."""
    deprecated = {entry.pk: entry for entry in entries if entry.status == Status.DEPRECATED}
    for tag in Tag.objects.with_deprecation().filter(pk__in=deprecated) if deprecated else ():
        deprecated[tag.pk].successor = tag.last_successor or ""
