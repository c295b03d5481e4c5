"""The body of a build that may use some features: a level or a processor, and what is beyond it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.baseline.machines import Machine, usable
from ttag_rules.compatibility.baseline.shared_devices import shared_device
from ttag_rules.compatibility.conventions import convention_options
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.tables import Features, InstructionSet

HOST = "host"


def build_bodies(machines: Sequence[Machine]) -> Iterator[dict[str, Any]]:
    """Yield targets that run on all of some machines of one family, the largest first.

    They differ in the level or processor that they name.
    """
    processors = [machine.processor for machine in machines if machine.processor]
    features = frozenset.intersection(*(machine.features for machine in machines))
    possible = frozenset.intersection(*(machine.possible for machine in machines))
    devices = [machine.device for machine in machines if machine.device]
    device = shared_device(devices) if devices else {}
    if not processors:
        yield device
        return
    names = {processor.mcpu for processor in processors if processor.mcpu}
    for candidate in _ranked(_candidates(processors[0], names, possible), features):
        host = _processor_body(processors, candidate, features)
        yield {**device, HOST: host} if device else host


def _processor_body(
    processors: Sequence[Processor], candidate: _Candidate, features: Features
) -> dict[str, Any]:
    convention = convention_options(processors[0])
    switches = (*candidate.switches, *_switches(candidate, features), *convention.pop("mattr", ()))
    mattr = {"mattr": [*switches]} if switches else {}
    named = {"kind": "llvm", "mtriple": _triple(processors), "mcpu": candidate.mcpu}
    return {**named, **mattr, **convention}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A level or processor that a build may name, and what its code then has on.

    `switches` give it the modes of the machines. Its code does not need what is optional on all
    of them.
    """

    table: InstructionSet
    mcpu: str
    switches: tuple[str, ...]
    closure: Features

    @property
    def modes(self) -> Features:
        """The modes of the code."""
        return self.closure & self.table.modes


def _candidates(
    processor: Processor, names: Collection[str], possible: Features
) -> Iterator[_Candidate]:
    """Yield the baseline, the levels, and some processors; levels first."""
    table = processor.instruction_set
    if table is None:
        raise ValueError("Expected a processor with a table.")  # machines have one
    needed = (processor.features(of_machine=True) or frozenset()) & table.modes
    spelling = processor.triple.processor
    for mcpu in (table.baseline, *sorted(table.levels - {table.baseline}), *sorted(names)):
        if table.knows(mcpu):
            present = table.closure(mcpu, (), spelling) & table.modes
            switches = (
                *(f"-{name}" for name in sorted(present - needed)),
                *(f"+{name}" for name in sorted(needed - present)),
            )
            unneeded = table.optional_of(mcpu) & possible
            closure = table.closure(mcpu, switches, spelling) - unneeded
            yield _Candidate(table, mcpu, switches, closure)


def _ranked(candidates: Iterable[_Candidate], features: Features) -> list[_Candidate]:
    """Return the levels and processors, first that which takes most of some features and no other.

    A level is preferred where it loses nothing. If all have others, too, that with the fewest.
    """

    def rank(candidate: _Candidate) -> tuple[int, int, int]:
        present = usable(candidate.table, candidate.closure)
        return -len(present - features), len(present & features), -len(candidate.switches)

    return sorted(candidates, key=rank, reverse=True)


def _switches(candidate: _Candidate, features: Features) -> list[str]:
    """Return what has to be switched off and on, so that code uses just these features."""
    table, closure = candidate.table, candidate.closure
    denied = _least(table, usable(table, closure) - features)
    left = closure - frozenset().union(*(table.implying(name) for name in denied))
    return [*(f"-{name}" for name in denied), *_added(candidate, features - left, features)]


def _least(table: InstructionSet, absent: Features) -> list[str]:
    """Return the features that the others of some imply, and that fall alone."""
    return sorted(
        name for name in absent if not (table.implied.get(name, frozenset()) - {name}) & absent
    )


def _triple(processors: Sequence[Processor]) -> str:
    """Return the triple that most of the machines have; they differ only in how it is written."""
    texts = [processor.triple_text for processor in processors]
    return max(sorted(set(texts)), key=texts.count)


def _added(candidate: _Candidate, missing: Features, features: Features) -> list[str]:
    """Return what has to be switched on, without what other features imply."""
    table = candidate.table
    possible = {
        name: table.switched_on(name)
        for name in missing
        if name in table.implied
        and usable(table, table.switched_on(name)) <= features
        and table.switched_on(name) & table.modes <= candidate.modes
    }
    implied = {other for name, others in possible.items() for other in others - {name}}
    return [f"+{name}" for name in sorted(set(possible) - implied)]
