"""Lints for hardware facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds.hardware import unsourced_groups
from registry.domain.kinds.kinds import HARDWARE, Kinds
from registry.domain.lints.facts import LintFacts
from registry.domain.resolution.overridden_values import overridden_value
from ttag_rules.nodes import Node, nodes
from ttag_rules.pointer import child
from ttag_rules.triples import Triple

NAMING_FACTS = frozenset({"vendor", "model", "family"})  # names need no source
SHARED_FACTS = frozenset({"vendor", "family", "sources"})  # can hold for another processor too
PROCESSOR_OPTIONS = ("mcpu", "march", "arch", "mtriple")


def unsourced_facts(node: Node, kinds: Kinds, _facts: LintFacts) -> Iterator[Fault]:
    """Warn of groups of hardware facts without a source."""
    facts = node.value.get(HARDWARE)
    if not isinstance(facts, dict):
        return
    if groups := list(unsourced_groups(facts, kinds, NAMING_FACTS)):
        yield Fault(
            child(node.pointer, HARDWARE),
            "HARDWARE_UNSOURCED",
            f"these groups of hardware facts have no source: {', '.join(groups)}",
            "in sources, https URLs for each of these groups, or for all",
        )


def inherited_facts(
    target: Json,
    provenance: Mapping[str, str | None],
    uses: Iterable[Mapping[str, str]],
    parents: Mapping[str, Json],
) -> Iterator[Fault]:
    """Warn of hardware facts that were inherited while the processor was overridden.

    A version that states `clusters` itself is about some cores of a machine that has others.
    `provenance` maps pointers to the versions that set the values, None for the version itself;
    `uses` are its dependencies, `parents` the targets of the versions that it inherits from.
    """
    uses, origins = tuple(uses), _origins_of_facts(provenance)
    for node in nodes(target):
        origin = origins.get(node.pointer) if HARDWARE in node.value else None
        clusters = child(child(node.pointer, HARDWARE), "clusters")
        if origin is None or provenance.get(clusters, "") is None:
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


def _origins_of_facts(provenance: Mapping[str, str | None]) -> dict[str, str]:
    """Return the versions that hardware facts were inherited from, by the node's pointer."""
    origins: dict[str, str] = {}
    for pointer, origin in provenance.items():
        node, found, fact = pointer.rpartition(f"/{HARDWARE}/")
        if origin is not None and found and fact.partition("/")[0] not in SHARED_FACTS:
            origins.setdefault(node, origin)
    return origins


def _is_other(name: str, old: Json, new: Json) -> bool:
    """Return whether a value names another processor; a triple, whether another architecture."""
    if name == "mtriple" and isinstance(old, str) and isinstance(new, str):
        return Triple.parse(old).arch != Triple.parse(new).arch
    return old != new
