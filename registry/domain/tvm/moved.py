"""Options that stood on a target once, and belong to its executor, its runtime or its flow now.

To TVM 0.9 a target said how the graph around its kernels is run; often the host said it for all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from registry.domain.composition import devices
from registry.domain.document import Json
from registry.domain.errors import echo
from registry.domain.importing import Note
from registry.domain.kinds import EXECUTOR, FLOW, RUNTIME, Kind, Kinds
from registry.domain.pointer import ROOT, child

PARTS = (EXECUTOR, RUNTIME, FLOW)
# Where each option belongs, and in which executor or runtime where none is stated: the one that
# has the option, or that TVM took then.
HOMES = {
    "link-params": (FLOW, ""),
    "unpacked-api": (EXECUTOR, "aot"),
    "interface-api": (EXECUTOR, "aot"),
    "system-lib": (RUNTIME, "cpp"),
}
RUNTIMES = {"c++": "cpp", "c": "crt"}  # as targets named them
HARMLESS = {"unpacked-api": False, "interface-api": "packed"}  # what holds without AOT as well


def home(name: str, kinds: Kinds) -> Kind | None:
    """What has an option now that left targets: an executor, a runtime, flow; None of any other."""
    part, word = HOMES.get(name, ("", ""))
    return kinds.get(f"{part}/{word}" if word else part)


@dataclass(slots=True)
class Settling:
    """A description being put in order, and what was moved in it."""

    notes: list[Note] = field(default_factory=list)

    def node(self, value: Json, pointer: str = ROOT) -> Json:
        """A target with its host and devices, each option where it belongs; words stay as is."""
        if not isinstance(value, dict):
            return value
        node, parts = self._split(value, pointer)
        place, stated = child(pointer, "host"), node.get("host")
        host = self.node(stated, place)
        if isinstance(host, dict) and isinstance(stated, dict):
            shared = [name for name in PARTS if not isinstance(stated.get(name), dict)]
            node["host"] = self._without_shared(host, shared, parts, place)
        return self._with_devices({**node, **parts}, pointer)

    def _without_shared(
        self, host: dict[str, Any], shared: Collection[str], parts: dict[str, Any], pointer: str
    ) -> dict[str, Any]:
        """A host without what it says for all that it is the host of, which is put to `parts`.

        What it says in an object is its own: targets of old had no place for one.
        """
        kept = dict(host)
        for name in shared:
            if name in host and name not in parts:
                parts[name] = kept.pop(name)
                self._note(pointer, f"its {name} holds for all, not for the host alone")
            elif name in host and host[name] == parts[name]:
                del kept[name]
        return kept

    def _with_devices(self, node: dict[str, Any], pointer: str) -> dict[str, Any]:
        found = node.get("devices")
        if isinstance(found, list):
            places = devices(found, child(pointer, "devices"))
            return {**node, "devices": [self.node(value, place) for place, value in places]}
        if isinstance(found, dict):
            place = child(pointer, "devices")
            settled = {name: self.node(value, child(place, name)) for name, value in found.items()}
            return {**node, "devices": settled}
        return node

    def _split(self, value: dict[str, Any], pointer: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """A node without executor, runtime and flow, and these, with all that belongs to them."""
        node = dict(value)
        parts = {name: node.pop(name) for name in PARTS if name in node}
        self._rename_runtime(parts, pointer)
        self._link_params_of_executor(parts, pointer)
        for name in HOMES:
            if name in node:
                self._move(name, node.pop(name), parts, pointer)
        return node, parts

    def _rename_runtime(self, parts: dict[str, Any], pointer: str) -> None:
        stated = parts.get(RUNTIME)
        word = stated.get("kind") if isinstance(stated, dict) else stated
        if not isinstance(word, str) or word not in RUNTIMES:
            return
        name = RUNTIMES[word]
        parts[RUNTIME] = {**stated, "kind": name} if isinstance(stated, dict) else name
        self._note(child(pointer, RUNTIME), f"the runtime {word} is named {name}")

    def _link_params_of_executor(self, parts: dict[str, Any], pointer: str) -> None:
        executor = parts.get(EXECUTOR)
        if isinstance(executor, dict) and "link-params" in executor:
            rest = {key: item for key, item in executor.items() if key != "link-params"}
            parts[EXECUTOR] = rest
            place = child(pointer, EXECUTOR)
            self._move("link-params", executor["link-params"], parts, place)

    def _move(self, name: str, value: Json, parts: dict[str, Any], pointer: str) -> None:
        part, kind = HOMES[name]
        stated = parts.get(part, {})
        stated = {"kind": stated} if isinstance(stated, str) else stated
        if not isinstance(stated, dict):
            return  # no object: checking says so
        if part == EXECUTOR and stated.get("kind") != "aot" and HARMLESS.get(name) == value:
            self._note(child(pointer, name), f"{name} says what every executor but aot does")
            return
        if name in stated and stated[name] != value:
            message = f"{name} is {echo(stated[name])} in the {part}; here it said {echo(value)}"
            self._note(child(pointer, name), message)
            return
        if part not in parts and kind:
            stated = {"kind": kind}
        parts[part] = {**stated, name: value}
        self._note(child(pointer, name), f"{name} belongs to the {part}")

    def _note(self, pointer: str, message: str) -> None:
        self.notes.append(Note(pointer, message))
