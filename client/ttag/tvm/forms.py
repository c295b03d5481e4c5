"""The two forms of a target: the registry's, and TVM's with the settings that it lacks apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag_rules.flow_names import current_name
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import DEVICES, HOST, KIND, STRUCTURE, labelled_devices
from ttag_rules.pointer import child

CODEGEN, FLOW, LABELS = "codegen", "flow", "labels"
SETTINGS = ("executor", "runtime", FLOW, CODEGEN)
REPLACED_KINDS: Mapping[str, str] = TABLES["tvm"]["replaced_kinds"]  # kinds that TVM does not have


def registry_form(
    target: Mapping[str, Any],
    build: Mapping[str, Mapping[str, Any]],
    pass_config: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a target of the format `tvm` as the registry has it: settings inside their nodes."""
    root = _node(target, build, "")
    flow = dict(root.get(FLOW, {}))
    stated = {current_name(name) for name in flow}
    flow |= {name: value for name, value in pass_config.items() if name not in stated}
    return root | ({FLOW: flow} if flow else {})


def tvm_form(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node as `tvm.target.Target` takes it, without settings."""
    left_out = STRUCTURE | {CODEGEN}
    written = {name: each for name, each in value.items() if name not in left_out}
    written[KIND] = REPLACED_KINDS.get(value[KIND], value[KIND])
    if HOST in value:
        written[HOST] = tvm_form(value[HOST])
    if DEVICES in value:
        written[DEVICES] = [tvm_form(device) for device in labelled_devices(value).values()]
    return written


def _node(
    target: Mapping[str, Any], build: Mapping[str, Mapping[str, Any]], pointer: str
) -> dict[str, Any]:
    entry = build.get(pointer, {})
    node = dict(target) | {name: entry[name] for name in SETTINGS if name in entry}
    if CODEGEN in entry:
        node[KIND] = "byoc"
    if HOST in target:
        node[HOST] = _node(target[HOST], build, child(pointer, HOST))
    if DEVICES in target:
        place = child(pointer, DEVICES)
        devices = [
            _node(device, build, child(place, index))
            for index, device in enumerate(target[DEVICES])
        ]
        labels = entry.get(LABELS)
        node[DEVICES] = dict(zip(labels, devices, strict=True)) if labels else devices
    return node
