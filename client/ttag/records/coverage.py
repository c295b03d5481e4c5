"""What moving from one version to another costs: the records that no longer apply."""

from __future__ import annotations

from dataclasses import dataclass

from ttag.project import Project
from ttag.records.database import Database, Record
from ttag.records.leaves import Leaf, leaves_of
from ttag.records.matching import Match, match_records


@dataclass(frozen=True, slots=True)
class LeafCoverage:
    """The records of a leaf of the old version, and the leaves of the new one that keep them."""

    leaf: Leaf
    records: tuple[Record, ...]
    kept_by: tuple[Leaf, ...]

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
    """The leaves of the old version, and the records that apply to none of them."""

    leaves: tuple[LeafCoverage, ...]
    unrelated: tuple[Match, ...]

    @property
    def records(self) -> frozenset[Record]:
        """The records that apply to the old version."""
        return frozenset(record for each in self.leaves for record in each.records)

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
    leaves = tuple(_leaf_coverage(leaf, matches, after) for leaf in before)
    return Coverage(leaves, tuple(match for match in matches if not match.applies))


def _leaf_coverage(leaf: Leaf, matches: tuple[Match, ...], after: tuple[Leaf, ...]) -> LeafCoverage:
    records = tuple(record for match in matches if leaf in match.leaves for record in match.records)
    return LeafCoverage(leaf, records, tuple(each for each in after if each.key == leaf.key))
