"""Verifies stored data by recomputing it, while the server runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from registry.services.operations.backups import Report, no_progress
from registry.services.operations.snapshots import snapshot
from registry.services.operations.verification import (
    Finding,
    Progress,
    database,
    index,
    lines,
    lints,
    log,
    names,
    numbers,
    proposals,
    tree,
    versions,
)

CHECKS: dict[str, Callable[[Progress], Iterator[Finding]]] = {
    "databases": database.findings,
    "versions": versions.findings,
    "numbers": numbers.findings,
    "versions in lines": lines.findings,
    "names": names.findings,
    "proposals": proposals.findings,
    "events": log.findings,
    "sizes of the log": tree.findings,
    "search entries": index.findings,
    "search terms": index.vocabulary_findings,
    "versions linted again": lints.findings,
}


def verify(report: Report = no_progress) -> Iterator[Finding]:
    """Yield the findings of all checks, in one consistent snapshot.

    Neither writes nor blocks writes. Memory is bounded; queries are constant per 500 rows.
    """
    with snapshot():
        for step, check in CHECKS.items():
            yield from check(partial(report, step))
