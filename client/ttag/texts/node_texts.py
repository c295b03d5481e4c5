"""Texts of nodes, made of the text of the whole target, for locks and mirrors that hold only that.

A text is compared with the node before it is used, as one from a registry is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ttag.canonical_json import canonical
from ttag.resolution import Export, Resolution
from ttag.texts.parts import LIBS, find_node
from ttag_rules.closed_nodes import close, host_owner
from ttag_rules.flow_names import current_name, is_accepted
from ttag_rules.nodes import (
    COMPONENTS,
    DEVICES,
    HARDWARE,
    HOST,
    Node,
    labelled_devices,
    nodes,
)
from ttag_rules.pointer import look_up

BUILD, DROPPED, PASS_CONFIG = "build", "dropped", "pass_config"
CODEGEN, FLOW, LABELS = "codegen", "flow", "labels"


def node_text(export: Export, whole: Resolution, part: Resolution) -> Export | None:
    """Return the text of a node from that of the whole target, or None if that does not tell it.

    Only the formats `tvm` and `tuning` do.
    """
    derive = DERIVED.get(export.format)
    if derive is None:
        return None
    members = json.loads(export.text)
    node = find_node(whole, part.node or "")
    derived = derive(node, members, part.target)
    reasons = close(node).select({loss["pointer"]: loss["reason"] for loss in members[DROPPED]})
    dropped = tuple(pointer for pointer in _in_order(part.target) if pointer in reasons)
    derived[DROPPED] = [{"pointer": each, "reason": reasons[each]} for each in dropped]
    text = canonical(derived).decode()
    return replace(export, reference=part.reference, text=text, dropped=dropped, digest="")


def _in_order(target: Mapping[str, Any]) -> Iterator[str]:
    """Yield the pointers of what these formats can leave out, in the order of the registry."""
    for node in nodes(target):
        yield from (node.pointer, f"{node.pointer}/{HARDWARE}")


def _tuning(node: Node, members: Mapping[str, Any], _target: Mapping[str, Any]) -> dict[str, Any]:
    return {name: close(node).select(members[name]) for name in ("tuning", "tuning_keys")}


def _tvm(node: Node, members: Mapping[str, Any], target: Mapping[str, Any]) -> dict[str, Any]:
    """Move the node and its host in the text to the root, and add what encloses the node."""
    root = (node, *node.enclosing)[-1]
    places = dict(_places(root.value))
    moved = {places[node.pointer]: ""}
    written = dict(look_up(members["target"], places[node.pointer]))
    if owner := host_owner(node):
        outer = f"{places[owner.pointer]}/{HOST}"
        moved.setdefault(outer, f"/{HOST}")
        written[HOST] = look_up(members["target"], outer)
    if LIBS in target:
        written[LIBS] = target[LIBS]
    build = dict(_moved(members[BUILD], moved))
    kept, pass_config = _split(target.get(FLOW, {}))
    entry = {name: target[name] for name in (*COMPONENTS, CODEGEN) if name in target}
    if isinstance(target.get(DEVICES), dict):
        entry[LABELS] = [*labelled_devices(target)]
    if kept or target.get(FLOW) == {}:
        entry[FLOW] = kept
    build.pop("", None)
    return {
        "target": written,
        BUILD: build | ({"": entry} if entry else {}),
        PASS_CONFIG: pass_config,
    }


def _places(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the pointer of each node and its place in the text, where devices have no labels."""
    places = {"": ""}
    for node in nodes(value):
        place = places[node.pointer]
        yield node.pointer, place
        places[f"{node.pointer}/{HOST}"] = f"{place}/{HOST}"
        for index, label in enumerate(labelled_devices(node.value)):
            places[f"{node.pointer}/{DEVICES}/{label}"] = f"{place}/{DEVICES}/{index}"


def _moved(build: Mapping[str, Any], moved: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for pointer, entry in build.items():
        for outer, inner in moved.items():
            if pointer == outer or pointer.startswith(f"{outer}/"):
                yield inner + pointer.removeprefix(outer), entry


def _split(flow: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split the flow of a root into what `build` keeps, and what TVM takes by its own names.

    A setting with another name in TVM is in both.
    """
    kept, settings = {}, {}
    for name, value in flow.items():
        current = current_name(name)
        if is_accepted(current, value):
            settings[current] = value
        if current not in settings or current != name:
            kept[name] = value
    return kept, settings


DERIVED: Mapping[str, Callable[[Node, Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]] = {
    "tuning": _tuning,
    "tvm": _tvm,
}
