"""Counts the tuning records that keep applying when a lock moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttag.moves import Move
from ttag.project import Project
from ttag.records.coverage import Coverage, coverage
from ttag.records.database import Database


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """The records of all databases of a project that applied before a move.

    `failed` counts those whose measurement has failed, which apply to nothing.
    """

    total: int
    kept: int
    failed: int

    def __str__(self) -> str:
        failed = f"; {self.failed} failed and do not count" if self.failed else ""
        return f"{self.kept} of {self.total} keep applying{failed}"


def kept_records(databases: Iterable[Database], move: Move, project: Project) -> KeptRecords:
    """Return how many records keep applying after a move. Raises `TtagError`."""
    results: list[Coverage] = [
        coverage(database, move.old.exact, move.new.exact, project) for database in databases
    ]
    return KeptRecords(
        total=sum(len(each.records) for each in results),
        kept=sum(len(each.kept) for each in results),
        failed=sum(each.failed for each in results),
    )
