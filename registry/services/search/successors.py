"""Names what supersedes the deprecated tags of a list."""

from __future__ import annotations

from collections.abc import Collection

from registry.models import Entry, Status, Tag


def add_successors(entries: Collection[Entry]) -> None:
    """Set `successor` of the deprecated ones among some entries. One query, if there are any."""
    deprecated = {entry.pk: entry for entry in entries if entry.status == Status.DEPRECATED}
    if deprecated:
        rows = Tag.objects.filter(pk__in=deprecated).with_deprecation()
        for tag, successor in rows.values_list("pk", "last_successor"):
            deprecated[tag].successor = successor or ""
