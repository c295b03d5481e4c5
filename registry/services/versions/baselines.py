"""The fewest targets that run on the machines of some versions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.compatibility.baseline.baseline import (
    MAX_BUILDS,
    Baseline,
    Build,
    TooFewBuilds,
    UnusableMachines,
    baseline,
)
from registry.domain.compatibility.feature_names import features_text
from registry.domain.errors import Code, Fault, Refused
from registry.domain.reference import Reference
from registry.services.versions import comparing

EXPECTED_MACHINE = "a target that states the processor of the machine"


@dataclass(frozen=True, slots=True)
class Loss:
    """Features that some machines have and their build does not use."""

    features: tuple[str, ...]
    machines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The features in a few words: `AVX-512 (avx512f, avx512bw and 8 more)`."""
        return features_text(self.features)


@dataclass(frozen=True, slots=True)
class FleetBuild:
    """A target, the exact references of the machines that it is for, and what they lose."""

    target: Mapping[str, Any]
    machines: tuple[str, ...]
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True)
class FleetBaseline:
    """The builds for some machines; `loss` counts the lost features of all of them."""

    builds: tuple[FleetBuild, ...]
    loss: int
    is_optimal: bool


def find_baseline(references: Sequence[Reference], builds: int) -> FleetBaseline:
    """Return at most `builds` targets, of which each machine runs one. Three queries at most.

    A reference that is stated several times counts as often. Raises `UnresolvedReferences`, or
    `Refused` (REQUEST_INVALID) for machines that state too little or need more builds.
    """
    resolutions = comparing.resolve_each(references)
    targets = [json.loads(resolution.target) for resolution in resolutions]
    try:
        result = baseline(targets, builds)
    except UnusableMachines as unusable:
        raise _unusable(unusable, references) from None
    except TooFewBuilds as problem:
        raise _too_few(problem) from None
    names = [resolution.exact for resolution in resolutions]
    return _of_fleet(result, names)


def _of_fleet(result: Baseline, names: Sequence[str]) -> FleetBaseline:
    made = tuple(_fleet_build(build, names) for build in result.builds)
    return FleetBaseline(made, result.loss, result.is_optimal)


def _fleet_build(build: Build, names: Sequence[str]) -> FleetBuild:
    losses = [
        Loss(tuple(features), tuple(names[index] for index in losers))
        for features, losers in build.shared_losses()
    ]
    return FleetBuild(build.target, tuple(names[index] for index in build.machines), tuple(losses))


def _unusable(unusable: UnusableMachines, references: Sequence[Reference]) -> Refused:
    faults = [
        Fault(
            f"/machines/{problem.index}",
            Code.REQUEST_INVALID,
            f"{references[problem.index]}: {problem}",
            EXPECTED_MACHINE,
        )
        for problem in unusable.problems
    ]
    return Refused(Code.REQUEST_INVALID, faults[0].message, faults=faults)


def _too_few(problem: TooFewBuilds) -> Refused:
    possible = problem.needed <= MAX_BUILDS
    expected = f"at least {problem.needed}" if possible else "machines that are more alike"
    fault = Fault("/builds", Code.REQUEST_INVALID, str(problem), expected)
    return Refused(Code.REQUEST_INVALID, str(problem), faults=[fault])
