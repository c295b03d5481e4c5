"""Lints: warnings about a target, which never reject it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from registry.domain.composition import Node, nodes
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds import FLOW, HARDWARE, Kinds
from registry.domain.near_names import nearest_names
from registry.domain.pointer import child
from registry.domain.toolchains.triples import Triple
from registry.domain.tuning import is_host_dependent

NAMING_FACTS = frozenset({"vendor", "model", "family"})  # names need no source


def lint_target(
    target: Json, kinds: Kinds, cpus: Mapping[str, frozenset[str]]
) -> tuple[Fault, ...]:
    """Return the warnings for a target. `cpus` are the CPU names known to LLVM, by architecture."""
    return tuple(
        lint
        for node in nodes(target)
        for lint in (
            *_cpu(node, cpus),
            *_host(node, kinds),
            *_flow(node, kinds),
            *_hardware(node),
        )
    )


def _cpu(node: Node, cpus: Mapping[str, frozenset[str]]) -> Iterator[Fault]:
    triple, cpu = node.value.get("mtriple"), node.value.get("mcpu")
    if node.kind != "llvm" or not triple or not cpu:
        return
    names = cpus.get(Triple.parse(triple).arch)
    if names and cpu not in names:
        yield Fault(
            child(node.pointer, "mcpu"),
            "MCPU_UNKNOWN",
            f"LLVM 22 does not know the CPU {echo(cpu)} for {echo(triple)}",
            "a CPU name that LLVM knows",
            echo(cpu),
            nearest_names(cpu, names),
        )


def _host(node: Node, kinds: Kinds) -> Iterator[Fault]:
    if node.kind and node.is_leaf and is_host_dependent(node, kinds):
        needed = " or ".join(kinds.targets[node.kind].host_dependent_without)
        yield Fault(
            node.pointer,
            "HOST_DEPENDENT",
            f"a compiler completes this {node.kind} from the machine that it runs on",
            needed,
        )
    host = node.value.get("host")
    if isinstance(host, dict) and isinstance(host.get("host"), dict):
        pointer = child(child(node.pointer, "host"), "host")
        yield Fault(pointer, "HOST_OF_HOST", "a host has a host of its own", "a host without one")


def _flow(node: Node, kinds: Kinds) -> Iterator[Fault]:
    settings = node.value.get(FLOW)
    for name in settings if isinstance(settings, dict) else ():
        option = kinds[FLOW].option(name)
        if option and option.is_unlisted:
            yield Fault(
                child(child(node.pointer, FLOW), name),
                "FLOW_UNKNOWN",
                f"{echo(name)} is not a pass setting that the registry knows; it counts as tuning",
                "a known setting",
                echo(name),
                nearest_names(name, kinds[FLOW].options),
            )


def _hardware(node: Node) -> Iterator[Fault]:
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
