"""`tvm`: what `tvm.target.Target()` of TVM 0.27 takes, and beside it what it holds no longer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.composition import Node, devices, nodes
from registry.domain.errors import Code, Refused, echo
from registry.domain.exporting import MEDIA, Export, Format, Loss, Subject
from registry.domain.kinds import FLOW, HARDWARE
from registry.domain.pointer import ROOT, child
from registry.domain.tvm.build import BUILD, CODEGEN, PASS_CONFIG, TARGET, beside, divided

KINDS = frozenset(
    {
        *("c", "composite", "cuda", "cuda_host", "ext_dev", "hexagon", "llvm", "metal", "nvptx"),
        *("opencl", "rocm", "test", "trn", "vulkan", "webgpu"),
    }
)
STAND_INS = {"byoc": "composite"}  # TVM has no kind for an offloaded sub-compilation


def write(subject: Subject) -> Export:
    """Write a target. Raises `Refused` (FORMAT_UNFIT) where TVM 0.27 lacks the kind of a node."""
    for node in nodes(subject.target):
        _refuse_unknown(node)
    writing = _Writing(subject.origins if subject.is_recorded else {})
    target = writing.node(subject.target, ROOT, ROOT)
    root = writing.build.pop(ROOT, {})
    kept, settings = divided(root.pop(FLOW)) if FLOW in root else (None, {})
    if kept is not None:
        root[FLOW] = kept
    build = writing.build | ({ROOT: root} if root else {})
    dropped = tuple(
        Loss(child(node.pointer, HARDWARE), "facts for people, which no compiler reads")
        for node in nodes(subject.target)
        if HARDWARE in node.value
    )
    return Export({TARGET: target, BUILD: build, PASS_CONFIG: settings}, dropped)


def _refuse_unknown(node: Node) -> None:
    if STAND_INS.get(node.kind, node.kind) in KINDS:
        return
    place = node.pointer or "the root"
    raise Refused(
        Code.FORMAT_UNFIT,
        f"TVM 0.27 has no kind {echo(node.kind)}, which is that of {place}: the format tvm needs "
        f"one of {', '.join(sorted(KINDS))}, or byoc.",
    )


@dataclass(slots=True)
class _Writing:
    """A target on its way into TVM's form.

    `origins` are the references to record, by pointer into the target; `build` fills by pointer
    into what is written.
    """

    origins: Mapping[str, str]
    build: dict[str, Any] = field(default_factory=dict)

    def node(self, value: Any, pointer: str, place: str) -> dict[str, Any]:
        """Write the node at a pointer, which will stand at a place."""
        written = {name: item for name, item in Node(pointer, value).own.items() if name != CODEGEN}
        written["kind"] = STAND_INS.get(value["kind"], value["kind"])
        if pointer in self.origins:
            written["tag"] = self.origins[pointer]
        if entry := beside(value):
            self.build[place] = entry
        if "host" in value:
            written["host"] = self.node(value["host"], child(pointer, "host"), child(place, "host"))
        if "devices" in value:
            row = child(place, "devices")
            written["devices"] = [
                self.node(device, inside, child(row, index))
                for index, (inside, device) in enumerate(
                    devices(value["devices"], child(pointer, "devices"))
                )
            ]
        return written


FORMAT = Format(
    name="tvm",
    media_type=f"application/{MEDIA}.tvm+json",
    summary="What tvm.target.Target() of TVM 0.27 takes, and what a TVM target holds no longer.",
    write=write,
    members=(TARGET, BUILD, PASS_CONFIG),
    can_record=True,
)
