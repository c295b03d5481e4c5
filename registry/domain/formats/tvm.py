"""The `tvm` format: the JSON for TVM 0.27's `tvm.target.Target()`, and the members it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.errors import Code, Refused, echo
from registry.domain.exporting import MEDIA_TYPE_PREFIX, Export, Format, Loss, Subject
from registry.domain.kinds.kinds import FLOW, HARDWARE
from registry.domain.tvm.build_settings import (
    BUILD,
    CODEGEN,
    PASS_CONFIG,
    TARGET,
    build_entry,
    split_flow,
)
from ttag_rules.compiled_options import compiled_options
from ttag_rules.nodes import Node, devices, nodes
from ttag_rules.pointer import ROOT, child

KINDS = frozenset(
    {
        *("c", "composite", "cuda", "cuda_host", "ext_dev", "hexagon", "llvm", "metal", "nvptx"),
        *("opencl", "rocm", "test", "trn", "vulkan", "webgpu"),
    }
)
# Decision 030: what TVM's targets cannot hold is beside them, under `build`.
REPLACED_KINDS = {"byoc": "composite"}  # TVM has no kind for offloaded compilation


def write(subject: Subject) -> Export:
    """Write a target. Raises `Refused` (FORMAT_UNFIT) if TVM 0.27 lacks the kind of a node."""
    for node in nodes(subject.target):
        _refuse_unknown(node)
    writer = _Writer(subject.origins if subject.should_record else {})
    target = writer.node(subject.target, ROOT, ROOT)
    root = writer.build.pop(ROOT, {})
    flow, pass_config = split_flow(root.pop(FLOW)) if FLOW in root else (None, {})
    if flow is not None:
        root[FLOW] = flow
    build = writer.build | ({ROOT: root} if root else {})
    dropped = tuple(
        Loss(child(node.pointer, HARDWARE), "facts for people, which no compiler reads")
        for node in nodes(subject.target)
        if HARDWARE in node.value
    )
    return Export({TARGET: target, BUILD: build, PASS_CONFIG: pass_config}, dropped)


def _refuse_unknown(node: Node) -> None:
    if REPLACED_KINDS.get(node.kind, node.kind) in KINDS:
        return
    place = node.pointer or "the root"
    raise Refused(
        Code.FORMAT_UNFIT,
        f"TVM 0.27 has no kind {echo(node.kind)}, which is that of {place}: the format tvm needs "
        f"one of {', '.join(sorted(KINDS))}, or byoc.",
    )


@dataclass(slots=True)
class _Writer:
    """Convert a target to TVM's form.

    `origins` are the references to record, by pointer into the target; `build` is filled, by
    pointer into the output.
    """

    origins: Mapping[str, str]
    build: dict[str, Any] = field(default_factory=dict)

    def node(self, value: Any, pointer: str, output_pointer: str) -> dict[str, Any]:
        """Write the node at `pointer`; `output_pointer` is its pointer in the output."""
        own = compiled_options(Node(pointer, value).own)
        written = {name: item for name, item in own.items() if name != CODEGEN}
        written["kind"] = REPLACED_KINDS.get(value["kind"], value["kind"])
        if pointer in self.origins:
            written["tag"] = self.origins[pointer]
        if entry := build_entry(value):
            self.build[output_pointer] = entry
        if "host" in value:
            written["host"] = self.node(
                value["host"], child(pointer, "host"), child(output_pointer, "host")
            )
        if "devices" in value:
            devices_pointer = child(output_pointer, "devices")
            written["devices"] = [
                self.node(device, device_pointer, child(devices_pointer, index))
                for index, (device_pointer, device) in enumerate(
                    devices(value["devices"], child(pointer, "devices"))
                )
            ]
        return written


FORMAT = Format(
    name="tvm",
    media_type=f"application/{MEDIA_TYPE_PREFIX}.tvm+json",
    summary="JSON for tvm.target.Target() of TVM 0.27, and the settings that it no longer holds.",
    write=write,
    members=(TARGET, BUILD, PASS_CONFIG),
    can_record=True,
)
