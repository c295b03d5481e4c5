"""The format `config`: named targets, and executors that use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttag.canonical_json import is_same
from ttag.texts.claimed_text import Claim, Unexpected, shown
from ttag.texts.tvm import check_members
from ttag_rules.nodes import DEVICES, HOST, KIND, Node, labelled_devices
from ttag_rules.pointer import child

COMPOSITE, HARDWARE = "composite", "hardware"
TARGETS, TARGET_HOST = "targets", "target_host"
SETTINGS = {"executor": "executor", "runtime": "runtime", "flow": "flow-config"}


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the executors and their targets are those of the target."""
    members = claim.members()
    executors = _executors(Node("", dict(claim.target)))
    if members["executors"].keys() != executors.keys():
        raise Unexpected(f"has the executors {shown(sorted(members['executors']))}")
    used: set[str] = set()
    for name, node in executors.items():
        used |= _check_executor(members["executors"][name], node, members[TARGETS])
    if more := members[TARGETS].keys() - used:
        raise Unexpected(f"has the target {shown(min(more))}, which no executor uses")


def _executors(root: Node) -> dict[str, Node]:
    """Return the nodes that are executors, by name: devices that have devices, or the root."""
    inner = _devices(root) if root.kind == COMPOSITE else {}
    if all(node.kind != COMPOSITE for node in inner.values()):
        return {"": root}
    return {name: node for name, node in inner.items() if _leaves(node)}


def _devices(node: Node) -> dict[str, Node]:
    pointer = child(node.pointer, DEVICES)
    return {
        label: Node(child(pointer, label), value, (node, *node.enclosing))
        for label, value in labelled_devices(node.value).items()
    }


def _leaves(node: Node) -> list[Node]:
    """Return the leaves that an executor runs on, in natural order."""
    if node.is_leaf:
        return [node]
    inner = _devices(node).values() if node.kind == COMPOSITE else ()
    return [device for device in inner if device.is_leaf]


def _check_executor(executor: Any, node: Node, targets: Mapping[str, Any]) -> set[str]:
    """Check an executor, and return the names of the targets that it uses."""
    stated = {
        member: _word(node.value[name]) for name, member in SETTINGS.items() if name in node.value
    }
    check_members(executor, stated, node.pointer, {TARGETS, TARGET_HOST})
    names, leaves = executor.get(TARGETS), _leaves(node)
    hosts = executor.get(TARGET_HOST, [])
    if not isinstance(names, list) or len(names) != len(leaves):
        raise Unexpected(f"has other targets than the devices of {shown(node.pointer)}")
    if len(hosts) != (HOST in node.value):
        raise Unexpected(f"has another host than {shown(node.pointer)}")
    pairs = [*zip(names, leaves, strict=True)]
    if hosts:
        pairs.append((hosts[0], Node(child(node.pointer, HOST), node.value[HOST])))
    for name, leaf in pairs:
        own = {HOST, *SETTINGS} if leaf is node else set[str]()
        if name not in targets:
            raise Unexpected(f"lacks the target {shown(name)}")
        stated = {key: value for key, value in leaf.value.items() if key not in own}
        _check_leaf(targets[name], stated, leaf.pointer)
    return {name for name, _ in pairs}


def _check_leaf(written: Any, stated: Mapping[str, Any], pointer: str) -> None:
    """Check a leaf and its hosts, which are written without the facts for people."""
    own = {name: value for name, value in stated.items() if name not in {HOST, HARDWARE}}
    check_members(written, own, pointer, {HOST} & stated.keys())
    if HOST in stated:
        _check_leaf(written.get(HOST), stated[HOST], child(pointer, HOST))


def _word(setting: Any) -> Any:
    """Return an executor or runtime as it is written: without options, its name."""
    return setting[KIND] if is_same([*setting], [KIND]) else setting
