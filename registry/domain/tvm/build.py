"""What a TVM target holds no longer, and how it stands beside one in the `tvm` format.

`build` says by JSON pointer into the TVM target, `""` its root, what else is known of the node
there; `pass_config` holds the settings of the root's flow that are for TVM's pass context.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.composition import devices
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds import EXECUTOR, FLOW, RUNTIME
from registry.domain.near import nearest
from registry.domain.pointer import ROOT, child, natural
from registry.domain.schema import MOST_GUESSES, unknown_option

TARGET, BUILD, PASS_CONFIG, DROPPED = "target", "build", "pass_config", "dropped"
ENVELOPE = (TARGET, BUILD, PASS_CONFIG, DROPPED)

LABELS, CODEGEN = "labels", "codegen"
ENTRY = (EXECUTOR, RUNTIME, FLOW, LABELS, CODEGEN)

# Settings that TVM 0.27 knows by another name than the registry, which has that of most releases.
RESPELLED = {"tir.disable_vectorize": "tirx.disable_vectorize"}


def beside(node: Mapping[str, Any]) -> dict[str, Any]:
    """What a node of the registry says that the TVM target for it does not hold."""
    found = {name: node[name] for name in (EXECUTOR, RUNTIME, FLOW, CODEGEN) if name in node}
    labelled = node.get("devices")
    if isinstance(labelled, dict):
        found[LABELS] = sorted(labelled, key=natural)
    return found


def divided(flow: Mapping[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """A root's flow as what stands in `build`, None if nothing, and `pass_config`.

    A setting that is spelled otherwise in `pass_config` stands in both.
    """
    spelled = {name: _spelled(name, flow) for name in flow if "." in name}
    settings = {spelled[name]: flow[name] for name in spelled}
    kept = {name: flow[name] for name in flow if spelled.get(name) != name}
    return (kept if kept or not flow else None), settings


def _spelled(name: str, flow: Mapping[str, Any]) -> str:
    new = RESPELLED.get(name, name)
    return name if new in flow else new


@dataclass(slots=True)
class Rejoining:
    """`build` and `pass_config` on their way back into the nodes of a target, and what is wrong.

    Faults point into the envelope.
    """

    build: Mapping[str, Any]
    faults: list[Fault] = field(default_factory=list)
    met: set[str] = field(default_factory=set)

    def target(self, value: dict[str, Any], pass_config: Mapping[str, Any]) -> dict[str, Any]:
        """The whole target. Its pointers are those that `build` has, its devices in lists."""
        joined = self._node(value, ROOT)
        self._settings(joined, pass_config)
        for pointer in self.build:
            if pointer not in self.met:
                self._fault(
                    _place(pointer),
                    f"no target stands at {echo(pointer)}",
                    "the pointer of a node of target",
                    nearest(pointer, self._guesses(self.met)),
                )
        return joined

    def _guesses(self, known: Collection[str]) -> Collection[str]:
        """Where near names are sought: after many faults nowhere, for it takes time."""
        return known if len(self.faults) < MOST_GUESSES else ()

    def _node(self, value: dict[str, Any], pointer: str) -> dict[str, Any]:
        self.met.add(pointer)
        node = dict(value)
        if isinstance(node.get("host"), dict):
            node["host"] = self._node(node["host"], child(pointer, "host"))
        if isinstance(node.get("devices"), list):
            places = devices(node["devices"], child(pointer, "devices"))
            node["devices"] = [
                self._node(device, place) if isinstance(device, dict) else device
                for place, device in places
            ]
        entry = self.build.get(pointer, {})
        if not isinstance(entry, dict):
            self._fault(_place(pointer), f"{echo(entry)} is no object", "an object")
            return node
        for name, item in entry.items():
            self._put(node, name, item, child(_place(pointer), name))
        return node

    def _put(self, node: dict[str, Any], name: str, value: Json, place: str) -> None:
        if name not in ENTRY:
            known = self._guesses(ENTRY)
            self.faults.append(unknown_option("an entry of build", name, place, known))
        elif name == LABELS:
            self._label(node, value, place)
        elif name in node:
            self._fault(place, f"{name} stands in the target as well", "one of them")
        else:
            node[name] = value
            if name == CODEGEN:
                self._make_byoc(node, place)

    def _make_byoc(self, node: dict[str, Any], place: str) -> None:
        """A node that inherits has the kind of what it inherits from."""
        if node.get("kind") == "composite":
            node["kind"] = "byoc"
        elif "tag" not in node:
            self._fault(place, f"{echo(node.get('kind'))} has no codegen", "a composite")

    def _label(self, node: dict[str, Any], labels: Json, place: str) -> None:
        found = node.get("devices")
        if not isinstance(found, list):
            self._fault(place, "no devices stand there that labels could be of", "a composite")
            return
        count = len(found)
        names = (
            [name for name in labels if isinstance(name, str)] if isinstance(labels, list) else []
        )
        if labels != names or not len(set(names)) == len(names) == count:
            self._fault(
                place, f"{echo(labels)} do not label {count} devices", f"{count} different labels"
            )
        else:
            node["devices"] = dict(zip(names, found, strict=True))

    def _settings(self, root: dict[str, Any], pass_config: Mapping[str, Any]) -> None:
        flow = root.get(FLOW, {})
        if not isinstance(flow, dict) or not pass_config:
            return  # no object: checking says so
        respelled = {RESPELLED[name] for name in flow if name in RESPELLED}
        own = {name: pass_config[name] for name in pass_config if name not in respelled}
        for name in own:
            if name in flow:
                place = child(child(ROOT, PASS_CONFIG), name)
                self._fault(place, f"{name} stands in the flow as well", "one of them")
        root[FLOW] = {**flow, **own}

    def _fault(self, pointer: str, message: str, expected: str, near: tuple[str, ...] = ()) -> None:
        self.faults.append(Fault(pointer, "VALUE_INVALID", message, expected, suggestions=near))


def _place(pointer: str) -> str:
    """Where the entry for a pointer stands in the envelope."""
    return child(child(ROOT, BUILD), pointer)
