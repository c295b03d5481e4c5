"""The `build` and `pass_config` of the format `tvm`: settings that a TVM target cannot contain.

`build` maps JSON pointers into the TVM target (`""` is its root) to the rest of that node;
`pass_config` holds the settings of the root's flow for TVM's pass context.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.document import Json, is_same_json
from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME
from registry.domain.kinds.schema import MAX_SUGGESTIONS, unknown_option
from registry.domain.names.near_names import nearest_names
from ttag_rules.flow_names import current_name, is_accepted
from ttag_rules.nodes import devices
from ttag_rules.pointer import ROOT, child, natural_key

TARGET, BUILD, PASS_CONFIG, DROPPED = "target", "build", "pass_config", "dropped"
ENVELOPE = (TARGET, BUILD, PASS_CONFIG, DROPPED)

LABELS, CODEGEN = "labels", "codegen"
ENTRY = (EXECUTOR, RUNTIME, FLOW, LABELS, CODEGEN)


def build_entry(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a node that the TVM target for it does not contain."""
    entry = {name: node[name] for name in (EXECUTOR, RUNTIME, FLOW, CODEGEN) if name in node}
    labelled = node.get("devices")
    if isinstance(labelled, dict):
        entry[LABELS] = sorted(labelled, key=natural_key)
    return entry


def split_flow(flow: Mapping[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Split the root's flow into its part of `build`, or None if that is empty, and `pass_config`.

    `pass_config` has the settings that TVM 0.27 accepts, by TVM's names. A setting whose name
    differs there is in both.
    """
    kept, settings = {}, {}
    for name, value in flow.items():
        current = current_name(name)
        accepted = is_accepted(current, value)
        if accepted:
            settings[current] = value
        if not accepted or current != name:
            kept[name] = value
    return (kept if kept or not flow else None), settings


@dataclass(slots=True)
class BuildMerge:
    """Merge `build` and `pass_config` back into the nodes of a target, and collect the faults.

    The pointers of faults lead into the envelope.
    """

    build: Mapping[str, Any]
    faults: list[Fault] = field(default_factory=list)
    visited: set[str] = field(default_factory=set)

    def target(self, value: dict[str, Any], pass_config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the whole target; its devices are lists, so that its pointers match `build`."""
        root = self._node(value, ROOT)
        self._set_pass_config(root, pass_config)
        for pointer in self.build:
            if pointer not in self.visited:
                self._fault(
                    _entry_pointer(pointer),
                    f"there is no target at {echo(pointer)}",
                    "the pointer of a node of target",
                    nearest_names(pointer, self._candidates(self.visited)),
                )
        return root

    def _candidates(self, names: Collection[str]) -> Collection[str]:
        """Return candidates for suggestions; none after many faults, as comparing takes time."""
        return names if len(self.faults) < MAX_SUGGESTIONS else ()

    def _node(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        self.visited.add(pointer)
        node = dict(value)
        if isinstance(node.get("host"), dict):
            node["host"] = self._node(node["host"], child(pointer, "host"))
        if isinstance(node.get("devices"), list):
            device_pointers = devices(node["devices"], child(pointer, "devices"))
            node["devices"] = [
                self._node(device, place) if isinstance(device, dict) else device
                for place, device in device_pointers
            ]
        entry = self.build.get(pointer, {})
        if not isinstance(entry, dict):
            self._fault(_entry_pointer(pointer), f"{echo(entry)} is not an object", "an object")
            return node
        for name, item in entry.items():
            self._set(node, name, item, child(_entry_pointer(pointer), name))
        return node

    def _set(self, node: dict[str, Any], name: str, value: Json, pointer: str) -> None:
        if name not in ENTRY:
            candidates = self._candidates(ENTRY)
            self.faults.append(unknown_option("an entry of build", name, pointer, candidates))
        elif name == LABELS:
            self._set_labels(node, value, pointer)
        elif name in node:
            self._fault(pointer, f"{name} is also in the target", "only one of them")
        else:
            node[name] = value
            if name == CODEGEN:
                self._set_byoc(node, pointer)

    def _set_byoc(self, node: dict[str, Any], pointer: str) -> None:
        """Turn a composite into a byoc; a node that inherits gets its kind from its parent."""
        if node.get("kind") == "composite":
            node["kind"] = "byoc"
        elif "tag" not in node:
            self._fault(pointer, f"{echo(node.get('kind'))} has no codegen", "a composite")

    def _set_labels(self, node: dict[str, Any], labels: Json, pointer: str) -> None:
        nodes = node.get("devices")
        if not isinstance(nodes, list):
            self._fault(pointer, "there are no devices for these labels", "a composite")
            return
        count = len(nodes)
        names = (
            [name for name in labels if isinstance(name, str)] if isinstance(labels, list) else []
        )
        if labels != names or not len(set(names)) == len(names) == count:
            self._fault(
                pointer,
                f"{echo(labels)} are not labels for {count} devices",
                f"{count} different labels",
            )
        else:
            node["devices"] = dict(zip(names, nodes, strict=True))

    def _set_pass_config(self, root: dict[str, Any], pass_config: Mapping[str, Any]) -> None:
        flow = root.get(FLOW, {})
        if not isinstance(flow, dict) or not pass_config:
            return  # reported by the check that follows
        values = {current_name(name): value for name, value in flow.items()}
        own = {}
        for name, value in pass_config.items():
            current = current_name(name)
            if current not in values:
                own[name] = value
            elif name in flow or not is_same_json(values[current], value):
                pointer = child(child(ROOT, PASS_CONFIG), name)
                self._fault(pointer, f"{name} is also in the flow", "only one of them")
        root[FLOW] = {**flow, **own}

    def _fault(self, pointer: str, message: str, expected: str, near: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(pointer, "VALUE_INVALID", message, expected, suggestions=near))


def _entry_pointer(pointer: str) -> str:
    """Return the pointer in the envelope of the entry for a node's pointer."""
    return child(child(ROOT, BUILD), pointer)
