"""Kinds as curators look at them: the revisions in force, and what each changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from registry.domain import kinds as domain
from registry.domain.kind_revisions import OptionChange, compare_schemas as option_changes
from registry.models import Kind, KindRevision, VersionKind
from registry.services.core.text_diff import DiffLine, diff_lines, format_json
from registry.services.kinds import kinds

MOST_SHOWN = 20  # revisions of a kind with their changes; older ones say what they were in the API


@dataclass(frozen=True, slots=True)
class RevisionDiff:
    """A revision and what it changed in the one before; the first has no such lines."""

    revision: KindRevision
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class RevisionChanges:
    """A revision and what it changed in the one before, option by option; the first: nothing."""

    revision: KindRevision
    changes: tuple[OptionChange, ...]


def in_force() -> QuerySet[Kind]:
    """Every kind with its newest revision's number, date, author, and `checked`: its versions."""
    newest = KindRevision.objects.filter(kind=OuterRef("pk")).order_by("-number")
    found = Kind.objects.annotate(
        newest=Subquery(newest.values("pk")[:1]),
        revision=Subquery(newest.values("number")[:1]),
        revised=Subquery(newest.values("created")[:1]),
        author=Subquery(newest.values("author__username")[:1]),
    )
    using = VersionKind.objects.filter(revision=OuterRef("newest")).order_by().values("revision")
    count = using.annotate(count=Count("pk")).values("count")
    return found.annotate(checked=Coalesce(Subquery(count, output_field=IntegerField()), 0))


def of_role(rows: QuerySet[Kind], role: str) -> QuerySet[Kind]:
    """Kinds that describe targets, or executors, or ..."""
    known = kinds.current_kinds().kinds
    return rows.filter(name__in=[name for name in known if known[name].role == role])


def role_of(kind: Kind) -> str:
    """What a kind describes: `target`, `executor`, `runtime`, `flow` or `hardware`."""
    return domain.Kind(kind.name, 0, {}).role


def revisions(kind: Kind) -> list[RevisionDiff]:
    """The newest revisions of a kind, the newest first. One query."""
    found = kind.revisions.select_related("author", "kind").order_by("-number")
    rows = list(found[: MOST_SHOWN + 1])
    revised = [
        RevisionDiff(new, tuple(diff_lines(format_json(old.source), format_json(new.source))))
        for new, old in pairwise(rows)
    ]
    if rows and rows[-1].number == 1:
        revised.append(RevisionDiff(rows[-1], ()))
    return revised


def revision_changes(name: str) -> list[RevisionChanges]:
    """The newest revisions of a kind by its name, the newest first. One query."""
    found = KindRevision.objects.filter(kind__name=name).order_by("-number")
    rows = list(found.select_related("author")[: MOST_SHOWN + 1])
    sources = [json.loads(row.source) for row in rows]
    said = [
        RevisionChanges(row, option_changes(old, new))
        for row, (new, old) in zip(rows, pairwise(sources), strict=False)
    ]
    if rows and rows[-1].number == 1:
        said.append(RevisionChanges(rows[-1], ()))
    return said
