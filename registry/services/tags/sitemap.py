"""Lists the tags and namespaces of the sitemap, in parts of bounded size.

A part is a range of primary keys. Rows are never deleted, so parts are stable, and the last key
gives their number.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from registry.models import Entry, Namespace, Status, Tag

SIZE = 50_000  # names in a part, as the protocol allows; with the longest names, 15 of 50 MB


def count_tag_parts() -> int:
    """Return the number of parts of the tags. One query."""
    return _count_parts(Tag.objects.all())


def tags_in_part(part: int) -> list[str]:
    """Return the tags of a part, from 1, oldest first. One query.

    Leaves out deprecated tags, and those without an unyanked version.
    """
    in_use = _part(Entry.objects.filter(status=Status.ACTIVE), part)
    return list(in_use.values_list("text", flat=True))


def count_namespace_parts() -> int:
    """Return the number of parts of the namespaces. One query."""
    return _count_parts(Namespace.objects.all())


def namespaces_in_part(part: int) -> list[str]:
    """Return the namespaces of a part, from 1, oldest first. One query."""
    return list(_part(Namespace.objects.all(), part).values_list("name", flat=True))


def _count_parts(rows: QuerySet[Any]) -> int:
    last = next(iter(rows.order_by("-pk").values_list("pk", flat=True)[:1]), 0)
    return -(-last // SIZE)


def _part(rows: QuerySet[Any], part: int) -> QuerySet[Any]:
    return rows.filter(pk__gt=(part - 1) * SIZE, pk__lte=part * SIZE).order_by("pk")
