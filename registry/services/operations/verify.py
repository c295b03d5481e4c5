"""Verifying: what is stored is computed again and compared, while the server goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from registry.services.operations.backups import Report, no_progress
from registry.services.operations.snapshots import snapshot
from registry.services.operations.verification import (
    database,
    index,
    log,
    names,
    numbers,
    proposals,
    versions,
)
from registry.services.operations.verification.findings import Finding, Progress

CHECKS: dict[str, Callable[[Progress], Iterator[Finding]]] = {
    "databases": database.findings,
    "versions": versions.findings,
    "numbers": numbers.findings,
    "names": names.findings,
    "proposals": proposals.findings,
    "events": log.findings,
    "search entries": index.findings,
}


def verify(report: Report = no_progress) -> Iterator[Finding]:
    """Everything that is not as it should be, as it is found, in one consistent view.

    Nothing is written and nobody waits. Memory is bounded; queries are constant for 500 rows.
    """
    with snapshot():
        for step, check in CHECKS.items():
            yield from check(partial(report, step))
