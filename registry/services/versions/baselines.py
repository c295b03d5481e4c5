"""The fewest targets that run on the machines of some versions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.errors import Code, Fault, Refused
from registry.domain.reference import Reference
from registry.services.versions import comparing, nearest_tags
from registry.services.versions.comparing import ReferenceWarning, UnresolvedReferences
from registry.services.versions.compiler_objections import objection_of
from registry.services.versions.nearest_tags import NearestTag, NearestTags
from ttag_rules.compatibility.baseline.baseline import (
    MAX_BUILDS,
    Build,
    TooFewBuilds,
    UnacceptableBuild,
    UnusableMachines,
    baseline,
)
from ttag_rules.compatibility.feature_names import features_text, first_names

MAX_NAMES = 3  # of machines in an error
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
    """A target, the exact references of the machines that it is for, and what they lose.

    `nearest` are the published tags that run on all of them, and by which they lose least. So many
    tags as `unseen` says were not compared, and may be as near.
    """

    target: Mapping[str, Any]
    machines: tuple[str, ...]
    losses: tuple[Loss, ...]
    nearest: tuple[NearestTag, ...]
    unseen: int


@dataclass(frozen=True, slots=True)
class FleetBaseline:
    """The builds for some machines; `loss` counts the lost features of all of them.

    `warnings` are those about the machines' versions.
    """

    builds: tuple[FleetBuild, ...]
    loss: int
    is_optimal: bool
    warnings: tuple[ReferenceWarning, ...]


def find_baseline(
    references: Sequence[Reference], builds: int, compiler: str = ""
) -> FleetBaseline:
    """Return at most `builds` targets, of which each machine runs one; a compiler can be told all.

    Six queries at most, and those that read the targets of tags for the first time. A reference
    that is stated several times counts as often. Raises `Refused` for unknown references, and
    (REQUEST_INVALID) for machines that state too little or need more builds, and for a compiler
    that cannot be told a build.
    """
    try:
        resolutions = comparing.resolve_each(references)
    except UnresolvedReferences as unresolved:
        raise _unresolved(unresolved, references) from None
    targets = [json.loads(resolution.target) for resolution in resolutions]
    try:
        objection = objection_of(compiler) if compiler else lambda _: ""
        result = baseline(targets, builds, objection=objection)
    except UnusableMachines as unusable:
        raise _unusable(unusable, references) from None
    except TooFewBuilds as problem:
        raise _too_few(problem) from None
    except UnacceptableBuild as problem:
        raise _unacceptable(problem, compiler, references) from None
    names = [resolution.exact for resolution in resolutions]
    nearest = nearest_tags.find_nearest(
        [(build.target, [targets[index] for index in build.machines]) for build in result.builds]
    )
    made = [_fleet_build(*each, names) for each in zip(result.builds, nearest, strict=True)]
    warnings = comparing.warnings_of(resolutions)
    return FleetBaseline(tuple(made), result.loss, result.is_optimal, tuple(warnings))


def _fleet_build(build: Build, nearest: NearestTags, names: Sequence[str]) -> FleetBuild:
    losses = [
        Loss(tuple(features), tuple(names[index] for index in losers))
        for features, losers in build.shared_losses()
    ]
    machines = tuple(names[index] for index in build.machines)
    return FleetBuild(build.target, machines, tuple(losses), nearest.tags, nearest.unseen)


def _unresolved(unresolved: UnresolvedReferences, references: Sequence[Reference]) -> Refused:
    faults = [
        comparing.fault_of(refusal, str(reference), f"/machines/{index}")
        for index, reference in enumerate(references)
        if (refusal := unresolved.refusals.get(str(reference)))
    ]
    suggestions = unresolved.suggestions
    return Refused(unresolved.code, unresolved.detail, faults=faults, suggestions=suggestions)


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


def _unacceptable(
    problem: UnacceptableBuild, compiler: str, references: Sequence[Reference]
) -> Refused:
    names = first_names([str(references[index]) for index in problem.machines], MAX_NAMES)
    message = f"{compiler} cannot be told a build for {names}: {problem}"
    fault = Fault("/compiler", Code.REQUEST_INVALID, message, "a compiler of the machines' kind")
    return Refused(Code.REQUEST_INVALID, message, faults=[fault])


def _too_few(problem: TooFewBuilds) -> Refused:
    possible = problem.needed <= MAX_BUILDS
    expected = f"at least {problem.needed}" if possible else "machines that are more alike"
    fault = Fault("/builds", Code.REQUEST_INVALID, str(problem), expected)
    return Refused(Code.REQUEST_INVALID, str(problem), faults=[fault])
