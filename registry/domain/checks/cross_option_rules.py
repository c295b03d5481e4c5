"""Rules across the options of a node, which no schema of a kind can state."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME
from registry.domain.pointer import child
from registry.domain.resolution.composition import COMPOSITES, Node
from registry.domain.tvm.flow_names import current_name, repeated_names


def rule_faults(node: Node) -> list[Fault]:
    """Return the faults of a node against the rules across options."""
    host = node.value.get("host")
    faults = []
    if isinstance(host, dict) and host.get("kind") in COMPOSITES:
        faults.append(
            Fault(
                child(node.pointer, "host"),
                "HOST_NOT_LEAF",
                f"a host is one target: {host['kind']} has several",
                "a target that is neither composite nor byoc",
                str(host["kind"]),
            )
        )
    if EXECUTOR in node.value or RUNTIME in node.value:
        faults += _calling_convention_faults(node)
    return faults + list(_repeated_settings(node))


def _repeated_settings(node: Node) -> Iterator[Fault]:
    """Yield a fault for each pass setting of a node that has several names in one flow."""
    settings = node.value.get(FLOW, {})
    for first, *others in repeated_names(settings):
        for name in others:
            yield Fault(
                child(child(node.pointer, FLOW), name),
                "SETTING_REPEATED",
                f"{echo(name)} and {echo(first)} are the same setting, {current_name(name)} in TVM",
                f"only one of {first} and {name}",
                echo(settings[name]),
            )


def _calling_convention_faults(node: Node) -> list[Fault]:
    """Return faults if AOT and its runtime, stated here or on enclosing nodes, disagree."""
    executor, runtime = node.nearest(EXECUTOR) or {}, node.nearest(RUNTIME) or {}
    unpacked = executor.get("unpacked-api", False)
    interface = executor.get("interface-api", "packed")
    pointer = child(node.pointer, EXECUTOR if EXECUTOR in node.value else RUNTIME)
    if executor.get("kind") != "aot":
        return []
    if runtime.get("kind") == "crt" and interface == "c" and not unpacked:
        return [
            Fault(
                pointer,
                "CALLS_DISAGREE",
                "AOT on crt with interface-api c calls operators unpacked",
                "unpacked-api: true, or interface-api: packed",
                "unpacked-api false",
            )
        ]
    if runtime.get("kind") == "cpp" and (unpacked or interface != "packed"):
        return [
            Fault(
                pointer,
                "CALLS_DISAGREE",
                "AOT on cpp takes packed calls only",
                "interface-api: packed and unpacked-api: false",
                f"interface-api {interface}, unpacked-api {echo(unpacked)}",
            )
        ]
    return []
