"""Tuning keys: what can influence tuning on one leaf, digested (design section 4).

Equal keys mean that tuning records are legal for a target, not that they are best for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from registry.domain.composition import Node, is_mixin, nodes
from registry.domain.document import Json, canonical
from registry.domain.kinds import FLOW, Kind, Kinds

SCHEME = "tk1"  # a change to the preimage needs another

ARM_TRIPLES = ("arm", "aarch64")
ARM_M_PROFILE = tuple(f"cortex-m{core}" for core in ("0", "3", "4", "7", "33", "35p", "55", "85"))
ARM_KEYS = ("arm_cpu", "cpu")


def tuning_keys(target: Json, kinds: Kinds) -> dict[str, str]:
    """The key of each leaf by JSON pointer; a host-dependent leaf has none, a mixin has none."""
    return {pointer: key(found) for pointer, found in preimages(target, kinds).items()}


def key(preimage: Json) -> str:
    """The tuning key of what it digests: `tk1:` and 64 hexadecimal digits."""
    return f"{SCHEME}:{hashlib.sha256(canonical(preimage)).hexdigest()}"


def preimages(target: Json, kinds: Kinds) -> dict[str, dict[str, Any]]:
    """Exactly what the keys digest, by the leaf's JSON pointer."""
    if is_mixin(target):
        return {}
    return {
        node.pointer: preimage(node, kinds)
        for node in nodes(target)
        if node.kind and node.is_leaf and not is_host_dependent(node, kinds)
    }


def is_host_dependent(node: Node, kinds: Kinds) -> bool:
    """Whether a compiler completes this leaf by looking at its own machine."""
    needed = kinds.targets[node.kind].host_dependent_without
    return bool(needed) and not any(name in node.value for name in needed)


def preimage(node: Node, kinds: Kinds) -> dict[str, Any]:
    """One flat object of all that can influence tuning on a leaf."""
    kind = kinds.targets[node.kind]
    found = _options(node, kind)
    found |= {"kind": node.kind, "keys": effective_keys(node, kind)}
    if libs := _first(lib for around in (node, *node.encloses) for lib in _list(around, "libs")):
        found["libs"] = libs
    if codegen := [
        around.value["codegen"] for around in node.encloses if "codegen" in around.value
    ]:
        found["codegen"] = codegen
    if flow := _flow(node, kinds):
        found["flow"] = flow
    return found


def effective_keys(node: Node, kind: Kind) -> list[str]:
    """The keys under which TVM looks up schedules for a node, in its order."""
    stated = node.value.get("keys")
    device = [node.value["device"]] if "device" in node.value else []
    if _is_arm(node):
        return _first([*(stated or ()), *ARM_KEYS, *device])
    if stated is None:
        return _first([*device, *kind.default_keys])
    return _first([*stated, *device])


def _is_arm(node: Node) -> bool:
    triple, cpu = node.value.get("mtriple", ""), node.value.get("mcpu", "")
    if node.kind == "llvm" and triple.startswith(ARM_TRIPLES):
        return True
    return node.kind in ("llvm", "c") and cpu.startswith(ARM_M_PROFILE)


def _options(node: Node, kind: Kind) -> dict[str, Any]:
    """The leaf's own options that can influence tuning, defaults and constants written out."""
    found: dict[str, Any] = {}
    for name, option in kind.options.items():
        if not option.affects_tuning or name in ("kind", "keys", "libs"):
            continue
        value: Any = node.value.get(name)
        if value == []:
            value = None
        if value is None and option.derived is not None and _holds(node, option.derived_where):
            value = option.derived
        if value is None:
            value = option.default
        if value is not None:
            found[name] = _features(value) if name == "mattr" else value
    return found


def _holds(node: Node, where: Mapping[str, Json] | None) -> bool:
    return all(node.value.get(name) == value for name, value in (where or {}).items())


def _features(value: list[str]) -> list[str]:
    """Features of one sign commute; `-avx,+avx2` is not `+avx2,-avx`."""
    signs = {feature[:1] for feature in value}
    return sorted(value) if signs in ({"+"}, {"-"}) else value


def _flow(node: Node, kinds: Kinds) -> dict[str, Any]:
    """Flow settings that reach a leaf, the nearest winning, less what tuning does not see."""
    merged: dict[str, Any] = {}
    for around in reversed((node, *node.encloses)):
        merged |= around.value.get(FLOW, {})
    affecting = {}
    for name, value in merged.items():
        option = kinds[FLOW].option(name)
        if value != [] and (option is None or option.affects_tuning):
            affecting[name] = value
    return affecting


def _list(node: Node, name: str) -> list[str]:
    found: list[str] = node.value.get(name, [])
    return found


def _first(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
