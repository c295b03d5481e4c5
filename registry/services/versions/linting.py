"""Stores the lints of versions, and recomputes those of stored versions."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.lints.rules import lint_version
from registry.domain.resolution.body_references import Relation
from registry.models import Dependency, LintReport, Version
from registry.models.versions import NUMBERS
from registry.services.core import shipped_facts
from registry.services.kinds import kinds

BATCH_SIZE = 2000  # rows per statement
MEMBERS = ("pointer", "code", "message", "expected", "found", "suggestions")


def lint_report(version: Version, lints: Sequence[Fault]) -> LintReport:
    """Return the row that holds the lints of a version, which has at least one."""
    rows = [{name: getattr(lint, name) for name in MEMBERS} for lint in lints]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return LintReport(version=version, lints=text, count=len(rows))


def read_lints(text: str | None) -> list[Fault]:
    """Return the lints in a row's JSON text; none without a row."""
    rows = json.loads(text or "[]")
    return [Fault(**{**row, "suggestions": tuple(row["suggestions"])}) for row in rows]


def store_lints(linted: Iterable[tuple[Version, Sequence[Fault]]]) -> None:
    """Store the lints of new versions. Call under the write lock."""
    LintReport.objects.bulk_create(
        (lint_report(version, lints) for version, lints in linted if lints), BATCH_SIZE
    )


def compute_reports(pks: Collection[int]) -> dict[int, LintReport]:
    """Return the rows that versions should have, by primary key. Three queries.

    Versions without lints are left out.
    """
    versions = Version.objects.filter(pk__in=pks).order_by("pk")
    parents = _parents(pks)
    current = kinds.current_kinds().kinds
    reports = {}
    rows = versions.only("target", "provenance", "dependencies")
    for version in rows.with_family():
        lints = lint_version(
            json.loads(version.target),
            current,
            shipped_facts.lint_facts(),
            is_family=version.tag_is_family,
            provenance=json.loads(version.provenance),
            uses=json.loads(version.dependencies),
            parents=parents.get(version.pk, {}),
        )
        if lints:
            reports[version.pk] = lint_report(version, lints)
    return reports


def stored_reports(pks: Collection[int]) -> dict[int, LintReport]:
    """Return the stored rows of versions, by primary key. One query."""
    return LintReport.objects.in_bulk(pks)


def changed_versions(
    pks: Collection[int], computed: Mapping[int, LintReport], stored: Mapping[int, LintReport]
) -> list[int]:
    """Return the versions whose stored lints differ from the computed ones."""
    return [pk for pk in pks if _content(computed.get(pk)) != _content(stored.get(pk))]


def relint(pks: Collection[int]) -> int:
    """Compute and replace the lints of some versions; return how many changed.

    Call under the write lock.
    """
    computed = compute_reports(pks)
    changed = changed_versions(pks, computed, stored_reports(pks))
    LintReport.objects.filter(pk__in=changed).delete()
    new = [computed[pk] for pk in changed if pk in computed]
    LintReport.objects.bulk_create(new, BATCH_SIZE)
    return len(changed)


def _content(report: LintReport | None) -> tuple[str, int]:
    return (report.lints, report.count) if report else ("[]", 0)


def _parents(pks: Collection[int]) -> dict[int, dict[str, Json]]:
    """Return the targets that versions inherit from, by exact reference."""
    uses = Dependency.objects.filter(version__in=pks, relation=str(Relation.INHERITS))
    numbers = (f"resolved__{part}" for part in NUMBERS)
    rows: list[tuple[Any, ...]] = list(
        uses.values_list("version", "resolved", "resolved__tag__text", *numbers)
    )
    targets = dict(
        Version.objects.filter(pk__in={row[1] for row in rows}).values_list("pk", "target")
    )
    parents: dict[int, dict[str, Json]] = defaultdict(dict)
    for version, resolved, tag, *number in rows:
        exact = f"{tag}@{'.'.join(map(str, number))}"
        parents[version][exact] = json.loads(targets[resolved])
    return parents
