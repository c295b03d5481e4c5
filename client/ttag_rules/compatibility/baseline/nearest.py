"""Other targets that run on all machines of a build, and lose least of what those have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.baseline.machines import Machine, code_features
from ttag_rules.compatibility.relation import Parts, verdict
from ttag_rules.compatibility.tables import Features, Tables, shipped_tables
from ttag_rules.compatibility.verdicts import Answer

MAX_VERDICTS = 5_000  # about half a second; few are needed, since those that lose less come first

Target = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A target by its index, and what the machines lose by it."""

    index: int
    loss: int


@dataclass(frozen=True, slots=True)
class Nearest:
    """The candidates that come nearest, and the indexes of those that were not looked at.

    The latter may come as near, or nearer if no candidate does.
    """

    candidates: tuple[Candidate, ...]
    unseen: tuple[int, ...]


def least_losses(
    build: Target, machines: Sequence[Target], candidates: Sequence[Target]
) -> Nearest:
    """Find the candidates with the least loss of those that certainly run on all machines.

    Loss is that of a baseline: the features that programs use, each counted for every machine that
    has it. Of devices nothing is lost, so only those with the devices of the build are compared.
    """
    tables = shipped_tables()
    features = Counter(
        Machine.of(index, each, tables).features for index, each in enumerate(machines)
    )
    devices = _devices(build, tables)
    ranked = sorted(
        (loss, index)
        for index, candidate in enumerate(candidates)
        if _devices(candidate, tables) == devices
        and (loss := _loss(code_features(candidate, tables), features)) is not None
    )
    distinct = _distinct(machines)
    nearest: list[Candidate] = []
    unseen: list[int] = []
    steps = 0
    for loss, index in ranked:
        if nearest and loss > nearest[0].loss:
            break
        steps += len(distinct)
        if steps > MAX_VERDICTS:
            unseen.append(index)
            continue
        answers = (verdict(candidates[index], each, tables=tables).answer for each in distinct)
        if all(answer is Answer.YES for answer in answers):
            nearest.append(Candidate(index, loss))
    return Nearest(tuple(nearest), tuple(unseen))


def _loss(code: Features, machines: Counter[Features]) -> int | None:
    """Return what machines lose by code with some features; None if one lacks some of them."""
    if any(code - present for present in machines):
        return None
    return sum(count * len(present - code) for present, count in machines.items())


def _devices(target: Target, tables: Tables) -> list[dict[str, Any]]:
    return [device.options for device in Parts.of(target, tables).devices]


def _distinct(targets: Sequence[Target]) -> list[Target]:
    distinct: list[Target] = []
    for target in targets:
        if target not in distinct:
            distinct.append(target)
    return distinct
