"""Tells how a machine differs from what all machines of a series share.

Nothing else is known of a machine without a tag: an RTX 5095 would be one of the RTX 50.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ttag_rules.compatibility.feature_names import NAMES
from ttag_rules.compatibility.processors import KINDS, Processor
from ttag_rules.compatibility.tables import FeatureClass, Features, Tables

MIN_MEMBERS = 3  # that agree; of two, one is renamed from another series too often


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts of a tag, and the processor of its root with the features that are switched."""

    kind: str
    family: str
    arch: str
    mcpu: str = ""
    mattr: tuple[str, ...] = ()


def differences(machine: Machine, series: Sequence[Machine], tables: Tables) -> Iterator[str]:
    """Yield what a machine is or has that no machine of a series is or has, and the other way.

    `Zen 4, not Zen 3`, `has AVX-512`, `lacks SVE`. Nothing where members of the series disagree.
    """
    members = set(series)
    if len(series) < MIN_MEMBERS or {machine.kind} != {member.kind for member in members}:
        return
    for own, others in (
        (machine.family, {member.family for member in members}),
        (machine.arch, {member.arch for member in members}),
    ):
        if own and own not in others and len(others) == 1 and (expected := min(others)):
            yield f"{own}, not {expected}"
    if machine.arch in {member.arch for member in members}:
        yield from _feature_differences(machine, members, tables)


def _feature_differences(
    machine: Machine, members: Collection[Machine], tables: Tables
) -> Iterator[str]:
    """Yield the best known feature that only the machine has, and the one that only it lacks."""
    own = _features(machine, tables)
    others = {_features(member, tables) for member in members}
    if not own or not all(others):
        return
    for verb, features in (
        ("has", own.difference(*others)),
        ("lacks", frozenset.intersection(*others) - own),
    ):
        if title := next((title for feature, title in NAMES if feature in features), ""):
            yield f"{verb} {title}"


def _features(machine: Machine, tables: Tables) -> Features:
    """Return the features that compilers use unasked; none if they are not known for certain."""
    if machine.kind not in KINDS:
        return frozenset()
    leaf = {"mcpu": machine.mcpu, "mattr": machine.mattr, "mtriple": machine.arch}
    processor = Processor.from_leaf("", leaf, tables)
    if processor.is_host_dependent or processor.is_floor:
        return frozenset()
    table, features = processor.instruction_set, processor.features(of_machine=True)
    if table is None or features is None:
        return frozenset()
    return frozenset(each for each in features if table.class_of(each) is FeatureClass.EMITTED)
