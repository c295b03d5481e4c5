"""Counts the tuning records that no longer apply after moving to another version."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttag.moves import Move
from ttag.project import Project
from ttag.records.database import Database, Record
from ttag.records.leaves import Leaf, leaves_of
from ttag.records.matching import Difference, Match, explain, match_records


@dataclass(frozen=True, slots=True)
class LeafCoverage:
    """The measured records of a leaf of the old version, and the leaves of the new that keep them.

    `failed` counts the records of the leaf whose measurement has failed, which apply to nothing. If
    records are lost, `nearest` is the most similar leaf of the new version, if it has any, with the
    `differences`.
    """

    leaf: Leaf
    records: tuple[Record, ...]
    kept_by: tuple[Leaf, ...]
    nearest: Leaf | None = None
    differences: tuple[Difference, ...] = ()
    failed: int = 0

    @property
    def workloads(self) -> frozenset[int]:
        """The workloads that have a record."""
        return frozenset(record.workload for record in self.records)

    @property
    def is_lost(self) -> bool:
        """Return whether there are records, and no leaf keeps them."""
        return bool(self.records) and not self.kept_by


@dataclass(frozen=True, slots=True)
class Coverage:
    """The leaves of the old version, and the records that were made for none of them.

    `old` and `new` are exact references.
    """

    old: str
    new: str
    leaves: tuple[LeafCoverage, ...]
    unrelated: tuple[Match, ...]

    @property
    def records(self) -> frozenset[Record]:
        """The records that apply to the old version."""
        return frozenset(record for each in self.leaves for record in each.records)

    @property
    def failed(self) -> int:
        """The number of records that apply to neither, because their measurement has failed."""
        return sum(each.failed for each in self.leaves)

    @property
    def kept(self) -> frozenset[Record]:
        """The records that apply to both versions."""
        return frozenset(record for each in self.leaves if each.kept_by for record in each.records)


def coverage(database: Database, old: str, new: str, project: Project) -> Coverage:
    """Return which records keep applying when a build moves from `old` to `new`.

    Raises `TtagError`.
    """
    before, after = leaves_of(old, project), leaves_of(new, project)
    matches = match_records(database, before, old, project)
    return Coverage(
        project.resolve(old).exact,
        project.resolve(new).exact,
        tuple(_leaf_coverage(leaf, matches, after, project) for leaf in before),
        tuple(match for match in matches if not match.leaves),
    )


def _leaf_coverage(
    leaf: Leaf, matches: tuple[Match, ...], after: tuple[Leaf, ...], project: Project
) -> LeafCoverage:
    own = [match for match in matches if leaf in match.leaves]
    records = tuple(record for match in own for record in match.measured)
    failed = sum(match.failures for match in own)
    kept_by = tuple(each for each in after if each.key == leaf.key)
    if kept_by or not records or not after:
        return LeafCoverage(leaf, records, kept_by, failed=failed)
    return LeafCoverage(leaf, records, (), *explain(leaf.options, after, project), failed)


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
