"""Lists tags by name and kind, for the admin."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet

from registry.models import Entry, Tag
from registry.models.versions import documents_of
from registry.services.kinds import kinds
from registry.services.search.facets import MIXIN, stored_value
from registry.services.search.filters import names_containing

M = TypeVar("M", bound=Model)


def all_tags() -> QuerySet[Tag]:
    """Return all tags with their search index entries and newest versions."""
    rows = Tag.objects.select_related("namespace", "entry__version")
    return rows.defer(*documents_of("entry__version"))


def find_by_key(pk: str) -> Tag | None:
    """Return a tag by its primary key, annotated with its deprecation, or None."""
    rows = Tag.objects.with_deprecation().select_related("namespace", "entry__version")
    rows = rows.defer(*documents_of("entry__version"))
    return rows.filter(pk=pk).first() if pk.isdecimal() else None


def entry_of(tag: Tag) -> Entry | None:
    """Return the search index entry of a tag, or None while the index is rebuilt."""
    return getattr(tag, "entry", None)


def target_kinds() -> list[str]:
    """Return the kinds of targets, and `mixin`."""
    return [*sorted(kind.name for kind in kinds.current_kinds().kinds.targets.values()), MIXIN]


def of_kind(rows: QuerySet[M], kind: str, path: str) -> QuerySet[M]:
    """Return the rows whose entry, at the end of a path, has a kind or is a mixin."""
    value = stored_value("kind", kind)
    return rows.filter(**{f"{path}__kind": value, f"{path}__version__isnull": False})


def tags_like(rows: QuerySet[Tag], query: str) -> QuerySet[Tag]:
    """Return the tags whose name or alias contains a query, folded as in search."""
    return rows.filter(pk__in=names_containing(query).values("tag"))
