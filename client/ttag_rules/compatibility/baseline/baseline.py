"""The largest target that runs on several machines, or a few that share them with least loss."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.baseline.bodies import build_bodies
from ttag_rules.compatibility.baseline.grouping import Grouping, group
from ttag_rules.compatibility.baseline.machines import (
    Family,
    Machine,
    UnusableMachine,
    code_features,
)
from ttag_rules.compatibility.tables import Features, Tables, shipped_tables

Target = dict[str, Any]
ByFeatures = defaultdict[Features, list[Machine]]  # the machines of one family
Objection = Callable[[Target], str]  # a compiler's to a body; empty if it accepts that

MAX_BUILDS = 8
MAX_MACHINES = 1000


class TooFewBuilds(ValueError):
    """Machines of more families than builds: no target runs on two of them."""

    def __init__(self, needed: int, builds: int) -> None:
        text = "system, C library, calling convention or kind of device"
        super().__init__(
            f"The machines differ in {text}: they need {needed} builds, and {builds} may be made."
        )
        self.needed = needed


class UnusableMachines(ValueError):
    """Machines of which too little is stated, each with the reason."""

    def __init__(self, problems: Sequence[UnusableMachine]) -> None:
        super().__init__(str(problems[0]))
        self.problems = tuple(problems)


class UnacceptableBuild(ValueError):
    """A build of which no body is accepted, with the machines by index that it is for."""

    def __init__(self, machines: tuple[int, ...], objection: str) -> None:
        super().__init__(objection)
        self.machines = machines


@dataclass(frozen=True, slots=True)
class Build:
    """A target, the machines by index that it is for, and the features that each of them loses."""

    target: Target
    machines: tuple[int, ...]
    losses: Mapping[int, Features]

    def shared_losses(self) -> list[tuple[list[str], list[int]]]:
        """Return lost features with the machines that lose them, the most machines first."""
        losers = defaultdict[tuple[str, ...], list[int]](list)
        for index, features in self.losses.items():
            if features:
                losers[tuple(sorted(features))].append(index)
        ordered = sorted(losers, key=lambda lost: (-len(losers[lost]), lost))
        return [(list(lost), losers[lost]) for lost in ordered]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The builds for a fleet. `loss` counts the lost features of all machines.

    `is_optimal` says that no other builds lose less.
    """

    builds: tuple[Build, ...]
    loss: int
    is_optimal: bool


def baseline(
    machines: Sequence[Mapping[str, Any]],
    builds: int = 1,
    *,
    objection: Objection = lambda _: "",
    tables: Tables | None = None,
) -> Baseline:
    """Return at most `builds` targets, of which each machine runs one, with the least loss.

    `machines` are resolved targets. Each build is the largest body without an objection. Raises
    `UnusableMachines`, `TooFewBuilds` or `UnacceptableBuild`.
    """
    used = tables or shipped_tables()
    families = _families(machines, used)
    if len(families) > builds:
        raise TooFewBuilds(len(families), builds)
    groupings = _allocate(families, builds)
    made = [
        _build(_members(family, indices), objection, used)
        for family, grouping in zip(families, groupings, strict=True)
        for indices in grouping.groups
    ]
    return Baseline(
        tuple(sorted(made, key=lambda build: build.machines)),
        sum(len(lost) for build in made for lost in build.losses.values()),
        all(grouping.is_optimal for grouping in groupings),
    )


def _families(machines: Sequence[Mapping[str, Any]], tables: Tables) -> list[ByFeatures]:
    """Return the machines of each family. Raises `UnusableMachines`."""
    families = defaultdict[Family, ByFeatures](lambda: defaultdict(list))
    problems = []
    for index, target in enumerate(machines):
        try:
            machine = Machine.of(index, target, tables)
        except UnusableMachine as problem:
            problems.append(problem)
        else:
            families[machine.family][machine.features].append(machine)
    if problems:
        raise UnusableMachines(problems)
    return list(families.values())


def _members(family: ByFeatures, indices: Sequence[int]) -> list[Machine]:
    """Return the machines of a group, in their order."""
    distinct = list(family.values())
    chosen = (machine for index in indices for machine in distinct[index])
    return sorted(chosen, key=lambda machine: machine.index)


def _allocate(families: Sequence[ByFeatures], builds: int) -> list[Grouping]:
    """Return the groupings of all families that lose least with so many builds together."""
    best: dict[int, tuple[int, list[Grouping]]] = {0: (0, [])}
    for position, family in enumerate(families):
        left = len(families) - position - 1  # families that need a build of their own
        counts = [len(machines) for machines in family.values()]
        options = {
            count: group(list(family), counts, count)
            for count in range(1, min(builds - position - left, len(family)) + 1)
        }
        later: dict[int, tuple[int, list[Grouping]]] = {}
        for used, (loss, groupings) in best.items():
            for count, grouping in options.items():
                total = used + count
                cost = loss + grouping.loss
                if total + left <= builds and (total not in later or cost < later[total][0]):
                    later[total] = cost, [*groupings, grouping]
        best = later
    return min(best.items(), key=lambda option: (option[1][0], option[0]))[1][1]


def _build(machines: Sequence[Machine], objection: Objection, tables: Tables) -> Build:
    target = _accepted(machines, objection, tables)
    present = code_features(target, tables)
    losses = {machine.index: machine.features - present for machine in machines}
    return Build(target, tuple(machine.index for machine in machines), losses)


def _accepted(machines: Sequence[Machine], objection: Objection, tables: Tables) -> Target:
    """Return the largest body without an objection that needs nothing else of the machines."""
    shared = frozenset.intersection(*(machine.features for machine in machines))
    objections: list[str] = []
    for body in build_bodies(machines):
        if not (reason := objection(body)) and (
            not objections or code_features(body, tables) <= shared
        ):
            return body
        objections.append(reason)
    raise UnacceptableBuild(tuple(each.index for each in machines), objections[0])
