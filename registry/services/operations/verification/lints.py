"""Checks of lints against newly computed ones."""

from __future__ import annotations

from collections.abc import Iterator

from registry.models import LintReport
from registry.services.operations.verification import Finding, Progress, mismatch
from registry.services.operations.verification.stored import version_batches
from registry.services.operations.verification.versions import UNREADABLE
from registry.services.versions import linting

TABLE = LintReport._meta.db_table


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield the findings of lints; `manage.py lint` replaces them. Four queries per 500 rows."""
    for pks in version_batches(progress):
        computed, unreadable = _compute(pks)
        stored = linting.stored_reports(pks)
        for pk in linting.changed_versions(sorted({*pks} - unreadable), computed, stored):
            yield _finding(pk, computed.get(pk), stored.get(pk))


def _compute(pks: list[int]) -> tuple[dict[int, LintReport], set[int]]:
    """Return the reports that versions should have, and the versions that cannot be read."""
    try:
        return linting.compute_reports(pks), set()
    except UNREADABLE:
        if len(pks) == 1:
            return {}, {*pks}  # already reported as not canonical
    halves = [_compute(half) for half in (pks[: len(pks) // 2], pks[len(pks) // 2 :])]
    return {**halves[0][0], **halves[1][0]}, halves[0][1] | halves[1][1]


def _finding(pk: int, computed: LintReport | None, stored: LintReport | None) -> Finding:
    row = f"of version {pk}"
    if computed is None or stored is None:
        actual, expected = (str(report.count if report else 0) for report in (stored, computed))
        return Finding(TABLE, row, f"there are {actual} lints", f"{expected}; run manage.py lint")
    if computed.count != stored.count:
        return mismatch(TABLE, row, "count", stored.count, computed.count)
    return mismatch(TABLE, row, "lints", stored.lints, computed.lints, by="as linted today,")
