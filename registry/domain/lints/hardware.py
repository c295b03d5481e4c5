"""Lints for hardware facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from registry.domain.composition import Node, nodes
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds import HARDWARE, Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.overridden_values import overridden_value
from registry.domain.pointer import child
from registry.domain.toolchains.triples import Triple

NAMING_FACTS = frozenset({"vendor", "model", "family"})  # names need no source
SHARED_FACTS = frozenset({"vendor", "family", "sources"})  # can hold for another processor too
PROCESSOR_OPTIONS = ("mcpu", "march", "arch", "mtriple")


def unsourced_facts(node: Node, _kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of hardware facts without a source."""
    facts = node.value.get(HARDWARE)
    if not isinstance(facts, dict) or facts.get("sources"):
        return
    if set(facts) - NAMING_FACTS:
        yield Fault(
            child(node.pointer, HARDWARE),
            "HARDWARE_UNSOURCED",
            "these hardware facts have no source",
            "sources: a list of https URLs",
        )


def inherited_facts(
    target: Json,
    provenance: Mapping[str, str | None],
    uses: Iterable[Mapping[str, str]],
    parents: Mapping[str, Json],
) -> Iterator[Fault]:
    """Warn of hardware facts that were inherited while the processor was overridden.

    `provenance` maps pointers to the versions that set the values, None for the version itself;
    `uses` are its dependencies, `parents` the targets of the versions that it inherits from.
    """
    uses = tuple(uses)
    for node in nodes(target):
        origin = _origin_of_facts(node, provenance)
        if origin is None:
            continue
        for name in PROCESSOR_OPTIONS:
            pointer = child(node.pointer, name)
            if provenance.get(pointer, "") is not None:
                continue
            old = overridden_value(pointer, uses, parents)
            if old and _is_other(name, old.value, node.value[name]):
                yield Fault(
                    child(node.pointer, HARDWARE),
                    "HARDWARE_INHERITED",
                    f"these facts come from {origin}, but {name} is {echo(node.value[name])} here, "
                    f"not {echo(old.value)}",
                    "hardware: the facts of this processor, or null",
                    origin,
                )
                break


def _origin_of_facts(node: Node, provenance: Mapping[str, str | None]) -> str | None:
    """Return the version from which a node's hardware facts were inherited; None if it was not."""
    facts, place = node.value.get(HARDWARE), child(node.pointer, HARDWARE)
    for name in facts if isinstance(facts, dict) else ():
        if name in SHARED_FACTS:
            continue
        for pointer, origin in provenance.items():
            if origin is not None and f"{pointer}/".startswith(f"{child(place, name)}/"):
                return origin
    return None


def _is_other(name: str, old: Json, new: Json) -> bool:
    """Return whether a value names another processor; a triple, whether another architecture."""
    if name == "mtriple" and isinstance(old, str) and isinstance(new, str):
        return Triple.parse(old).arch != Triple.parse(new).arch
    return old != new
