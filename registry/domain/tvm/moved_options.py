"""Move options that used to be on a target to its executor, its runtime or its flow.

Until TVM 0.9 a target also stated how the graph around its kernels runs, often once on the host for
all devices.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from registry.domain.document import Json
from registry.domain.errors import echo
from registry.domain.importing import Note
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME, Kind, Kinds
from ttag_rules.nodes import devices
from ttag_rules.pointer import ROOT, child

PARTS = (EXECUTOR, RUNTIME, FLOW)
# The new owner of each option, and the executor or runtime to use if none is stated: the one that
# has the option, or TVM's default at the time.
# Decision 031: options of old hosts applied to the whole build, so they move to its owners.
NEW_OWNERS = {
    "link-params": (FLOW, ""),
    "unpacked-api": (EXECUTOR, "aot"),
    "interface-api": (EXECUTOR, "aot"),
    "system-lib": (RUNTIME, "cpp"),
}
RUNTIMES = {"c++": "cpp", "c": "crt"}  # old names of runtimes
HARMLESS = {
    "unpacked-api": False,
    "interface-api": "packed",
    "system-lib": False,
}  # the behaviour of every executor or runtime


def owning_kind(name: str, kinds: Kinds) -> Kind | None:
    """Return the executor, runtime or flow that now has an option of old targets, or None."""
    part, word = NEW_OWNERS.get(name, ("", ""))
    return kinds.get(f"{part}/{word}" if word else part)


def states_runtime(value: Json) -> bool:
    """Return whether a target, its host or a device states a runtime or a system library."""
    if not isinstance(value, dict):
        return False
    if RUNTIME in value or value.get("system-lib"):
        return True
    inner = value.get("devices")
    parts = inner.values() if isinstance(inner, dict) else inner if isinstance(inner, list) else ()
    return any(map(states_runtime, [value.get("host"), *parts]))


@dataclass(slots=True)
class OptionMove:
    """Move old options of a description to their owners, and note each move.

    `has_runtime` is whether any part of the description states a runtime: only then does a target
    without a system library differ from one that states nothing.
    """

    notes: list[Note] = field(default_factory=list)
    has_runtime: bool = True

    def node(self, value: Json, pointer: str = ROOT) -> Json:
        """Return a target with each option at its owner, including host and devices."""
        if not isinstance(value, dict):
            return value
        node, parts = self._split(value, pointer)
        host_pointer, stated = child(pointer, "host"), node.get("host")
        host = self.node(stated, host_pointer)
        if isinstance(host, dict) and isinstance(stated, dict):
            shared = [name for name in PARTS if not isinstance(stated.get(name), dict)]
            node["host"] = self._share_host_parts(host, shared, parts, host_pointer)
        return self._with_devices({**node, **parts}, pointer)

    def _share_host_parts(
        self, host: dict[str, Any], shared: Collection[str], parts: dict[str, Any], pointer: str
    ) -> dict[str, Any]:
        """Move what the host states for all devices from the host to `parts`.

        Executors, runtimes and flows written as objects stay: old targets had no such objects.
        """
        own = dict(host)
        for name in shared:
            if name in host and name not in parts:
                parts[name] = own.pop(name)
                self._note(pointer, f"its {name} applies to the whole target, not only to the host")
            elif name in host and host[name] == parts[name]:
                del own[name]
        return own

    def _with_devices(self, node: dict[str, Any], pointer: str) -> dict[str, Any]:
        stated, stated_pointer = node.get("devices"), child(pointer, "devices")
        moved: Json
        if isinstance(stated, list):
            moved = [self.node(value, place) for place, value in devices(stated, stated_pointer)]
        elif isinstance(stated, dict):
            moved = {
                name: self.node(value, child(stated_pointer, name))
                for name, value in stated.items()
            }
        else:
            return node
        return {**node, "devices": moved}

    def _split(self, value: dict[str, Any], pointer: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Split a node into its own options, and its executor, runtime and flow."""
        node = dict(value)
        parts = {name: node.pop(name) for name in PARTS if name in node}
        self._rename_runtime(parts, pointer)
        self._move_link_params(parts, pointer)
        for name in NEW_OWNERS:
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

    def _move_link_params(self, parts: dict[str, Any], pointer: str) -> None:
        executor = parts.get(EXECUTOR)
        if isinstance(executor, dict) and "link-params" in executor:
            rest = {key: item for key, item in executor.items() if key != "link-params"}
            parts[EXECUTOR] = rest
            executor_pointer = child(pointer, EXECUTOR)
            self._move("link-params", executor["link-params"], parts, executor_pointer)

    def _move(self, name: str, value: Json, parts: dict[str, Any], pointer: str) -> None:
        part, kind = NEW_OWNERS[name]
        stated = parts.get(part, {})
        stated = {"kind": stated} if isinstance(stated, str) else stated
        if not isinstance(stated, dict):
            return  # reported by the check that follows
        if part == EXECUTOR and stated.get("kind") != "aot" and HARMLESS.get(name) == value:
            self._note(
                child(pointer, name), f"{name} only states what every executor except aot does"
            )
            return
        if part == RUNTIME and not self.has_runtime and HARMLESS.get(name) == value:
            self._note(child(pointer, name), f"{name} only states what every runtime does")
            return
        if name in stated and stated[name] != value:
            message = f"{name} is {echo(stated[name])} in the {part}, but here it is {echo(value)}"
            self._note(child(pointer, name), message)
            return
        if part not in parts and kind:
            stated = {"kind": kind}
        parts[part] = {**stated, name: value}
        self._note(child(pointer, name), f"{name} belongs to the {part}")

    def _note(self, pointer: str, message: str) -> None:
        self.notes.append(Note(pointer, message))
