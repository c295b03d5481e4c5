"""Reads the revisions of kinds and their changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from registry.domain.kinds import kinds as domain
from registry.domain.kinds.kind_revisions import OptionChange, compare_schemas as option_changes
from registry.models import Kind, KindRevision, VersionKind
from registry.services.core.memory_cache import cache
from registry.services.core.text_diff import DiffLine, diff_lines, indented_json
from registry.services.kinds import kinds

MAX_REVISIONS = 20  # of a kind; the API has older ones


@dataclass(frozen=True, slots=True)
class RevisionDiff:
    """A revision and its diff from the previous one; the first has no diff."""

    revision: KindRevision
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class RevisionChanges:
    """A revision and the options that it changed; the first has no changes."""

    revision: KindRevision
    changes: tuple[OptionChange, ...]


def annotated_kinds() -> QuerySet[Kind]:
    """Return all kinds, annotated with `newest`, `revision`, `revised`, `author` and `checked`.

    `checked` counts the versions that were checked against the newest revision.
    """
    newest = KindRevision.objects.filter(kind=OuterRef("pk")).order_by("-number")
    rows = Kind.objects.annotate(
        newest=Subquery(newest.values("pk")[:1]),
        revision=Subquery(newest.values("number")[:1]),
        revised=Subquery(newest.values("created")[:1]),
        author=Subquery(newest.values("author__username")[:1]),
    )
    using = VersionKind.objects.filter(revision=OuterRef("newest")).order_by().values("revision")
    count = using.annotate(count=Count("pk")).values("count")
    return rows.annotate(checked=Coalesce(Subquery(count, output_field=IntegerField()), 0))


def with_role(rows: QuerySet[Kind], role: str) -> QuerySet[Kind]:
    """Return the kinds with a role, such as `target` or `executor`."""
    current = kinds.current_kinds().kinds
    return rows.filter(name__in=[name for name in current if current[name].role == role])


def role_of(kind: Kind) -> str:
    """Return the role of a kind: `target`, `executor`, `runtime`, `flow` or `hardware`."""
    return domain.Kind(kind.name, 0, {}).role


def revisions(kind: Kind) -> list[RevisionDiff]:
    """Return up to 20 revisions of a kind with their diffs, newest first. One query."""
    newest = kind.revisions.select_related("author", "kind").order_by("-number")
    rows = list(newest[: MAX_REVISIONS + 1])
    diffs = [
        RevisionDiff(new, tuple(diff_lines(indented_json(old.source), indented_json(new.source))))
        for new, old in pairwise(rows)
    ]
    if rows and rows[-1].number == 1:
        diffs.append(RevisionDiff(rows[-1], ()))
    return diffs


def revision_changes(name: str) -> list[RevisionChanges]:
    """Return up to 20 revisions of a kind with their changes, newest first.

    One query, and one more if the changes are not in memory.
    """
    newest = KindRevision.objects.filter(kind__name=name).order_by("-number")
    rows = list(newest.select_related("author").defer("source")[: MAX_REVISIONS + 1])
    changes = list(map(RevisionChanges, rows, _changes(rows)))
    if rows and rows[-1].number == 1:
        changes.append(RevisionChanges(rows[-1], ()))
    return changes


def _changes(rows: Sequence[KindRevision]) -> list[tuple[OptionChange, ...]]:
    """Return the changes from each revision to the one before it, computed once per process."""

    def compute() -> list[tuple[OptionChange, ...]]:
        revisions = KindRevision.objects.filter(pk__in=[row.pk for row in rows])
        sources = revisions.order_by("-number").values_list("source", flat=True)
        return [option_changes(old, new) for new, old in pairwise(map(json.loads, sources))]

    digests = [row.digest for row in rows]
    return cache.get_or_compute((__name__, *digests), compute) if rows[1:] else []
