"""The body of a build that may use some features: a level or a processor, and what is beyond it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from registry.domain.compatibility.baseline.machines import Machine, usable
from registry.domain.compatibility.baseline.shared_devices import shared_device
from registry.domain.compatibility.conventions import BY_FEATURES, convention
from registry.domain.compatibility.processors import Processor
from registry.domain.compatibility.tables import Features, InstructionSet

HOST = "host"


def build_body(machines: Sequence[Machine]) -> dict[str, Any]:
    """Return the largest target that runs on all of some machines of one family."""
    processors = [machine.processor for machine in machines if machine.processor]
    features = frozenset.intersection(*(machine.features for machine in machines))
    host = _processor_body(processors, features) if processors else {}
    devices = [machine.device for machine in machines if machine.device]
    if not devices:
        return host
    device = shared_device(devices)
    return {**device, HOST: host} if host else device


def _processor_body(processors: Sequence[Processor], features: Features) -> dict[str, Any]:
    first = processors[0]
    names = {processor.mcpu for processor in processors if processor.mcpu}
    named = _closures(first, names)
    mcpu = _best_name(first, named, features)
    mattr = [*_special(first), *_switches(first, named[mcpu], features)]
    body: dict[str, Any] = {"kind": "llvm", "mtriple": _triple(processors), "mcpu": mcpu}
    if mattr:
        body["mattr"] = mattr
    if first.architecture in BY_FEATURES:
        body["mabi"] = convention(first)
    elif "mfloat-abi" in first.options:
        body["mfloat-abi"] = first.options["mfloat-abi"]
    return body


def _table(processor: Processor) -> InstructionSet:
    if processor.instruction_set is None:
        raise ValueError("Expected a processor with a table.")  # machines have one
    return processor.instruction_set


def _closures(processor: Processor, names: Collection[str]) -> dict[str, Features]:
    """Return what code for each level, and for some processors, has on."""
    table = _table(processor)
    candidates = [table.baseline, *sorted(table.levels - {table.baseline}), *sorted(names)]
    return {
        name: table.closure(name, _special(processor), processor.triple.processor)
        for name in candidates
        if table.knows(name)
    }


def _special(processor: Processor) -> list[str]:
    """Return the profile and the restrictions that `mattr` states."""
    table = _table(processor)
    return [text for text in processor.mattr if text[1:] in table.profiles | table.restrictions]


def _best_name(processor: Processor, named: Mapping[str, Features], features: Features) -> str:
    """Return the level or processor that takes most of some features and no other.

    A level is preferred where it loses nothing. If all have others, too, that with the fewest. Only
    what takes away from code what a machine takes away is possible.
    """
    table = _table(processor)
    special = table.profiles | table.restrictions
    needed = (processor.features(of_machine=True) or frozenset()) & special
    ranks = {
        name: (-len(usable(table, closure) - features), len(usable(table, closure) & features))
        for name, closure in named.items()
        if closure & special == needed
    }
    return max(ranks, key=lambda name: ranks[name], default=table.baseline)


def _switches(processor: Processor, closure: Features, features: Features) -> list[str]:
    """Return what has to be switched off and on, so that code uses just these features."""
    table = _table(processor)
    denied = _least(table, usable(table, closure) - features)
    left = closure - frozenset().union(*(table.implying(name) for name in denied))
    return [*(f"-{name}" for name in denied), *_added(table, features - left, features)]


def _least(table: InstructionSet, absent: Features) -> list[str]:
    """Return the features that the others of some imply, and that fall alone."""
    return sorted(
        name for name in absent if not (table.implied.get(name, frozenset()) - {name}) & absent
    )


def _triple(processors: Sequence[Processor]) -> str:
    """Return the triple that most of the machines have; they differ only in how it is written."""
    texts = [processor.triple_text for processor in processors]
    return max(sorted(set(texts)), key=texts.count)


def _added(table: InstructionSet, missing: Features, features: Features) -> list[str]:
    """Return what has to be switched on, without what other features imply."""
    possible = {
        name: table.implied[name]
        for name in missing
        if name in table.implied and usable(table, table.implied[name]) <= features
    }
    implied = {other for name, others in possible.items() for other in others - {name}}
    return [f"+{name}" for name in sorted(set(possible) - implied)]
