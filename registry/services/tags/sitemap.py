"""Every name that has a page, in parts of bounded size: what a sitemap lists.

A part is a range of primary keys. Names are never deleted, so that a part's names stay what they
are, and how many parts there are takes one look at the last key.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from registry.models import Namespace, Tag, Version

SIZE = 10_000  # names of a part; the protocol allows 50,000 addresses and 50 MB


def count_tag_parts() -> int:
    """How many parts the tags have, the first being 1. One query."""
    return _parts(Tag.objects.all())


def tags_in_part(part: int) -> list[str]:
    """The tags of a part that have a version which is not yanked, by age. One query."""
    kept = Q(last_yanked=None) | Q(last_yanked=False)
    there = Version.objects.filter(tag=OuterRef("pk")).with_withdrawal().filter(kept)
    found = _of_part(Tag.objects.filter(Exists(there)), part)
    return list(found.values_list("text", flat=True))


def count_namespace_parts() -> int:
    """How many parts the namespaces have. One query."""
    return _parts(Namespace.objects.all())


def namespaces_in_part(part: int) -> list[str]:
    """The namespaces of a part, by age. One query."""
    return list(_of_part(Namespace.objects.all(), part).values_list("name", flat=True))


def _parts(found: QuerySet[Any]) -> int:
    last = next(iter(found.order_by("-pk").values_list("pk", flat=True)[:1]), 0)
    return -(-last // SIZE)


def _of_part(found: QuerySet[Any], part: int) -> QuerySet[Any]:
    return found.filter(pk__gt=(part - 1) * SIZE, pk__lte=part * SIZE).order_by("pk")
