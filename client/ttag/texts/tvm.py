"""The format `tvm`: the target as TVM reads it, and the settings that it no longer holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ttag.canonical_json import is_same
from ttag.texts.claimed_text import Claim, Unexpected, check_option, shown
from ttag.texts.triples import with_float_abi
from ttag_rules.compiled_options import FLOAT_ABI
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import DEVICES, HOST, KIND, Node, labelled_devices
from ttag_rules.pointer import child

TVM = TABLES["tvm"]
TAG, FLOW, CODEGEN, LABELS = "tag", "flow", "codegen", "labels"
SETTINGS = ("executor", "runtime", FLOW, CODEGEN)
REFERENCE = re.compile(TABLES["patterns"]["reference"])  # exact, perhaps with a node's pointer


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the text has the target's values, all of them, and no other."""
    members = claim.members()
    build, pass_config = dict(members["build"]), members["pass_config"]
    root = dict(build.pop("", {}))
    _check_flow(claim.target.get(FLOW), root.pop(FLOW, {}), pass_config)
    _check_node(claim, members["target"], Node("", dict(claim.target)), "", {"": root, **build})


def _check_node(
    claim: Claim, written: Any, node: Node, pointer: str, build: dict[str, Any]
) -> None:
    """Compare a node; `pointer` is its place in the text. Takes its entry out of `build`."""
    stated = {name: value for name, value in node.own.items() if name != CODEGEN}
    stated[KIND] = TVM["replaced_kinds"].get(node.kind, node.kind)
    check_members(written, stated, node.pointer, {HOST, DEVICES, TAG})
    if TAG in written:
        _check_origin(claim, node, written[TAG])
    _check_entry(node, build.pop(pointer, {}), pointer)
    if (HOST in written) != (HOST in node.value) or (DEVICES in written) != (DEVICES in node.value):
        raise Unexpected(f"has different parts from the target at {shown(node.pointer)}")
    enclosing = (node, *node.enclosing)
    if HOST in written:
        host = Node(child(node.pointer, HOST), node.value[HOST], enclosing)
        _check_node(claim, written[HOST], host, child(pointer, HOST), build)
    devices = labelled_devices(node.value)
    if DEVICES in written:
        if not isinstance(written[DEVICES], list) or len(written[DEVICES]) != len(devices):
            raise Unexpected(f"has other devices than the target at {shown(node.pointer)}")
        for index, (label, value) in enumerate(devices.items()):
            device = Node(child(child(node.pointer, DEVICES), label), value, enclosing)
            place = child(child(pointer, DEVICES), index)
            _check_node(claim, written[DEVICES][index], device, place, build)
    if not pointer and any(build.values()):
        raise Unexpected(f"has settings of {shown(min(build))}, which is not a node")


def check_members(
    written: Any, stated: Mapping[str, Any], pointer: str, others: set[str] | None = None
) -> None:
    """Raise `Unexpected` unless an object has the stated members, and no other but some.

    It may state the float ABI that its triple implies.
    """
    if not isinstance(written, dict):
        raise Unexpected(f"has no object for {shown(pointer)}")
    if FLOAT_ABI in written:
        stated = with_float_abi(stated)
    for name, value in stated.items():
        if name not in written:
            raise Unexpected(f"lacks {shown(child(pointer, name))} of the target")
        check_option(pointer, name, written[name], value)
    if more := written.keys() - stated.keys() - (others or set()):
        raise Unexpected(f"has {shown(min(more))}, which is not at {shown(pointer)} of the target")


def _check_origin(claim: Claim, node: Node, origin: Any) -> None:
    """Check the reference that a node records. Only that of the root is known."""
    is_root = not node.pointer
    is_reference = isinstance(origin, str) and bool(REFERENCE.fullmatch(origin))
    if not claim.is_recorded or not is_reference or (is_root and origin != claim.reference):
        raise Unexpected(f"records the origin {shown(origin)}")


def _check_entry(node: Node, entry: Any, pointer: str) -> None:
    settings = SETTINGS if pointer else tuple(name for name in SETTINGS if name != FLOW)
    stated = {name: node.value[name] for name in settings if name in node.value}
    if isinstance(node.value.get(DEVICES), dict):
        stated[LABELS] = list(labelled_devices(node.value))
    check_members(entry, stated, node.pointer)


def _check_flow(stated: Any, kept: Any, settings: Any) -> None:
    """Check that the flow of the root is what remains of it and the settings for TVM together."""
    flow = stated or {}
    for name, value in flow.items():
        current = TVM["settings"].get(name, name)
        places = [(kept, name), (settings, current)]
        values = [place[key] for place, key in places if key in place]
        if not values or not all(is_same(each, value) for each in values):
            raise Unexpected(f"lacks {shown(child('/flow', name))} of the target, or its value")
    names = {TVM["settings"].get(name, name) for name in flow}
    if more := (kept.keys() - flow.keys()) | (settings.keys() - names):
        raise Unexpected(f"has the setting {shown(min(more))}, which is not in the target")
