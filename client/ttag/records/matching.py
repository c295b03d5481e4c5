"""Which records of a database apply to which leaves, and why others do not."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttag.errors import NotLocked, Unreachable
from ttag.project import Project
from ttag.records.database import Database, Record, folder_name, key_of_folder
from ttag.records.leaves import Leaf, RecordedLeaf, leaves_of, recorded_leaf
from ttag.texts.triples import with_float_abi

# Settings of enclosing nodes, which the targets of TVM cannot state. Only the folder of a key says
# that its records were made with them.
UNSTATED = frozenset({"codegen", "flow"})


@dataclass(frozen=True, slots=True)
class Difference:
    """An option whose value in records is not that of a leaf. None: it is not stated.

    `consumers` are the components of a compiler that read the value of the leaf.
    """

    option: str
    recorded: Any
    expected: Any
    consumers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """The records that were made for one target, and the leaves that it is the target of.

    A failed measurement applies to nothing. If there is no such leaf, `nearest` is the most similar
    one, with its `differences`, or `reason` says why there is no such comparison.
    """

    target: str
    key: str
    records: tuple[Record, ...]
    leaves: tuple[Leaf, ...] = ()
    nearest: Leaf | None = None
    differences: tuple[Difference, ...] = ()
    reason: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """The target as JSON; empty if the records state none."""
        return dict(json.loads(self.target)) if self.target else {}

    @property
    def applies(self) -> bool:
        """Return whether any of the records applies to a leaf."""
        return bool(self.leaves and self.measured)

    @property
    def measured(self) -> tuple[Record, ...]:
        """The records with a measurement."""
        return tuple(record for record in self.records if not record.has_failed)

    @property
    def workloads(self) -> frozenset[int]:
        """The workloads of the records."""
        return frozenset(record.workload for record in self.records)

    @property
    def failures(self) -> int:
        """The number of records without a measurement."""
        return len(self.records) - len(self.measured)


@dataclass(frozen=True, slots=True)
class Report:
    """The records of a database by target, and the leaves that have none with a measurement."""

    database: Database
    matches: tuple[Match, ...]
    untuned: tuple[Leaf, ...]

    @property
    def is_complete(self) -> bool:
        """Return whether records of every target apply to some leaf."""
        return all(match.applies for match in self.matches)

    @property
    def applying(self) -> int:
        """The number of records that apply; failed measurements do not."""
        return sum(len(each.measured) for each in self.matches if each.applies)


def check(database: Database, references: Sequence[str], project: Project) -> Report:
    """Compare the records of a database with the leaves of references. Raises `TtagError`.

    The registry of the first reference computes the keys of the records' targets.
    """
    leaves = [leaf for each in dict.fromkeys(references) for leaf in leaves_of(each, project)]
    matches = match_records(database, leaves, references[0], project)
    tuned = {leaf for match in matches if match.applies for leaf in match.leaves}
    return Report(database, matches, tuple(leaf for leaf in leaves if leaf not in tuned))


# Decision 093: records apply to leaves whose key is that of the recorded target.
def match_records(
    database: Database, leaves: Sequence[Leaf], reference: str, project: Project
) -> tuple[Match, ...]:
    """Return the records by target, in the order of the file, with the leaves that they apply to.

    The registry that has `reference` is asked about the targets.
    """
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in database.records:
        groups[record.target].append(record)
    matcher = _Matcher(leaves, reference, key_of_folder(database.folder), project)
    return tuple(matcher.match(target, tuple(records)) for target, records in groups.items())


@dataclass(frozen=True)
class _Matcher:
    """Compares targets of records with leaves. The registry of `reference` reads the targets."""

    leaves: Sequence[Leaf]
    reference: str
    folder_key: str
    project: Project
    _today: dict[str, dict[str, str]] = field(default_factory=dict)

    def match(self, target: str, records: tuple[Record, ...]) -> Match:
        """Return the leaves that records of a target apply to, or the nearest one."""
        recorded = self._recorded(target)
        key = self.folder_key or recorded.key
        if recorded.options is None:
            return Match(target, key, records, reason=recorded.reason)
        matching = self._leaves_with(key, recorded.options) or self._revised_leaves(recorded.key)
        if matching:
            has_failed = all(record.has_failed for record in records)
            reason = "each of their measurements has failed" if has_failed else ""
            return Match(target, key, records, matching, reason=reason)
        if not self.leaves:
            return Match(target, key, records, reason="there is no leaf with a tuning key")
        nearest, differences = explain(recorded.options, self.leaves, self.project)
        reason = self._reason(nearest, differences)
        return Match(target, key, records, (), nearest, differences, reason)

    def _reason(self, nearest: Leaf, differences: Iterable[Difference]) -> str:
        """Return what the differences alone do not explain."""
        if {each.option for each in differences} - UNSTATED:
            return ""
        if self.folder_key:
            return f"their folder says that they were made for {self.folder_key}"
        return f"TVM's targets cannot state this; a folder {folder_name(nearest.key)} can"

    def _recorded(self, target: str) -> RecordedLeaf:
        if not target:
            return RecordedLeaf(reason="they state no target")
        return recorded_leaf(target, self.project.registry_of(self.reference))

    def _leaves_with(self, key: str, options: Mapping[str, Any]) -> tuple[Leaf, ...]:
        """Return the leaves of a key, unless the options contradict it.

        Records state a float ABI that the triple of a leaf implies, so their own key is another.
        """
        ignored = UNSTATED if self.folder_key else frozenset[str]()
        return tuple(
            leaf
            for leaf in self.leaves
            if (leaf.key == key or not self.folder_key)
            and not _differing(options, leaf.options, ignored)
        )

    def _revised_leaves(self, key: str) -> tuple[Leaf, ...]:
        """Return the leaves that would have a key today.

        A version keeps the keys of its publication; those of records follow the kinds of today.
        """
        return tuple(
            leaf
            for leaf in self.leaves
            if self.folder_key in {"", leaf.key}
            and self._keys_today(leaf.exact).get(leaf.pointer) == key
        )

    def _keys_today(self, exact: str) -> dict[str, str]:
        if exact not in self._today:
            try:
                kept = self.project.registry_of(exact).diff(exact, exact).kept
            except Unreachable:
                kept = ()
            self._today[exact] = {pointer: each.key for each in kept for pointer in each.new}
        return self._today[exact]


def _differing(
    recorded: Mapping[str, Any], expected: Mapping[str, Any], ignored: Iterable[str] = ()
) -> list[str]:
    """Return the names of the options that differ, other than by what a triple implies."""
    recorded, expected = with_float_abi(recorded), with_float_abi(expected)
    names = (recorded.keys() | expected.keys()) - set(ignored)
    return sorted(name for name in names if recorded.get(name) != expected.get(name))


def _distance(recorded: Mapping[str, Any], expected: Mapping[str, Any]) -> tuple[bool, int]:
    """Return how much two leaves differ; leaves of another kind are the farthest."""
    return recorded["kind"] != expected["kind"], len(_differing(recorded, expected))


def explain(
    recorded: Mapping[str, Any], leaves: Iterable[Leaf], project: Project
) -> tuple[Leaf, tuple[Difference, ...]]:
    """Return the leaf that is most similar to the options of another one, and the differences.

    There must be a leaf.
    """
    nearest = min(leaves, key=lambda leaf: _distance(recorded, leaf.options))
    return nearest, _differences(recorded, nearest, project)


def _differences(
    recorded: Mapping[str, Any], leaf: Leaf, project: Project
) -> tuple[Difference, ...]:
    if recorded["kind"] != leaf.options["kind"]:
        return (Difference("kind", recorded["kind"], leaf.options["kind"]),)
    names = _differing(recorded, leaf.options)
    readers = _readers(leaf, project) if names else {}
    return tuple(
        Difference(name, recorded.get(name), leaf.options.get(name), tuple(readers.get(name, ())))
        for name in names
    )


def _readers(leaf: Leaf, project: Project) -> dict[str, list[str]]:
    """Return which components of a compiler read each option; nothing if this cannot be learnt."""
    try:
        by_consumer = json.loads(project.export(leaf.exact, "consumers").text)["consumers"]
    except (Unreachable, NotLocked):
        return {}
    readers: dict[str, list[str]] = defaultdict(list)
    for consumer, values in by_consumer.items():
        for pointer in values:
            if pointer.startswith(f"{leaf.pointer}/"):
                readers[pointer.removeprefix(f"{leaf.pointer}/")].append(consumer)
    return readers
