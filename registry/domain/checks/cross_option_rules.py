"""Rules across the options of a node, which no schema of a kind can state."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME
from ttag_rules.flow_names import current_name, repeated_names
from ttag_rules.nodes import COMPOSITES, Node
from ttag_rules.pointer import child

# Their code is started by that of a host, and starts no other. Decision 203: not only a lint.
GPUS = frozenset({"cuda", "metal", "nvptx", "opencl", "rocm", "vulkan", "webgpu"})


def rule_faults(node: Node) -> list[Fault]:
    """Return the faults of a node against the rules across options."""
    faults = list(_host_faults(node)) if node.is_host else []
    if EXECUTOR in node.value or RUNTIME in node.value:
        faults += _calling_convention_faults(node)
    return faults + list(_repeated_settings(node))


def _host_faults(host: Node) -> Iterator[Fault]:
    """Yield a fault if a host is several targets, or a GPU."""
    if host.kind in COMPOSITES:
        yield Fault(
            host.pointer,
            "HOST_NOT_LEAF",
            f"a host is one target: {host.kind} has several",
            "a target that is neither composite nor byoc",
            host.kind,
        )
    if host.kind in GPUS:
        yield Fault(
            host.pointer,
            "HOST_IS_GPU",
            f"a host runs the code that starts devices, and {host.kind} is a GPU",
            "a CPU, such as llvm or c",
            host.kind,
        )


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
