"""What all machines of a series share, and how another machine differs from them.

Nothing else is known of a machine without a tag: an RTX 5095 would be one of the RTX 50.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from registry.domain.compatibility.feature_names import NAMES
from registry.domain.compatibility.processors import KINDS, Processor
from registry.domain.compatibility.tables import FeatureClass, Features, Tables

MIN_MEMBERS = 3  # that agree; of two, one is renamed from another series too often


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts of a tag, and the options of its root that describe a processor."""

    kind: str
    family: str
    arch: str
    processor: Mapping[str, Any] = field(default_factory=dict)


def differences(machine: Machine, series: Sequence[Machine], tables: Tables) -> Iterator[str]:
    """Yield what a machine is or has that no machine of a series is or has, and the other way.

    `Zen 4, not Zen 3`, `has AVX-512`, `lacks SVE`. Nothing where members of the series disagree.
    """
    if len(series) < MIN_MEMBERS or {machine.kind} != {member.kind for member in series}:
        return
    for own, expected in (
        (machine.family, _shared([member.family for member in series])),
        (machine.arch, _shared([member.arch for member in series])),
    ):
        if own and expected and own != expected:
            yield f"{own}, not {expected}"
    if machine.arch in {member.arch for member in series}:
        yield from _feature_differences(machine, series, tables)


def _shared(texts: Sequence[str]) -> str:
    """Return what all texts are; empty if they differ."""
    return texts[0] if len(set(texts)) == 1 else ""


def _feature_differences(
    machine: Machine, series: Sequence[Machine], tables: Tables
) -> Iterator[str]:
    """Yield the best known feature that only the machine has, and the one that only it lacks."""
    own = _features(machine, tables)
    others = {_features(member, tables) for member in series}
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
    processor = Processor.from_leaf("", machine.processor, tables)
    if processor.is_host_dependent or processor.is_floor:
        return frozenset()
    table, features = processor.instruction_set, processor.features(of_machine=True)
    if table is None or features is None:
        return frozenset()
    return frozenset(each for each in features if table.class_of(each) is FeatureClass.EMITTED)
