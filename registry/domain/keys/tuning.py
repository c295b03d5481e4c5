"""Tuning keys: digests of everything that can influence tuning on one leaf.

Equal keys mean that tuning records are valid for a target, not that they are the best for it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from registry.domain.document import Json, canonical, is_same_json
from registry.domain.errors import echo
from registry.domain.kinds.kinds import FLOW, Kind, Kinds, Option
from registry.domain.resolution.composition import is_mixin
from ttag_rules.flow_names import current_name
from ttag_rules.nodes import Node, nodes
from ttag_rules.triple_normalization import normalize

SCHEME = "tk1"  # must change if the definition of preimages changes

ARM_TRIPLES = ("arm", "aarch64")
ARM_M_PROFILE = tuple(f"cortex-m{core}" for core in ("0", "3", "4", "7", "33", "35p", "55", "85"))
ARM_KEYS = ("arm_cpu", "cpu")

Flows: TypeAlias = dict[str, dict[str, Any]]  # merged settings, by the node that adds the last


def tuning_keys(target: Json, kinds: Kinds) -> dict[str, str]:
    """Return the key of each leaf by JSON pointer. Host-dependent leaves and mixins have none."""
    return {
        pointer: tuning_key(leaf_preimage)
        for pointer, leaf_preimage in preimages(target, kinds).items()
    }


def tuning_key(preimage: Json) -> str:
    """Return the tuning key of a preimage: `tk1:` and 64 hexadecimal digits."""
    return f"{SCHEME}:{hashlib.sha256(canonical(preimage)).hexdigest()}"


def preimages(target: Json, kinds: Kinds) -> dict[str, dict[str, Any]]:
    """Return exactly what the keys digest, by the leaf's JSON pointer."""
    flows: Flows = {}
    return {
        leaf.pointer: preimage(leaf, kinds, flows)
        for leaf in leaves(target)
        if not is_host_dependent(leaf, kinds)
    }


def count_preimages(target: Json, kinds: Kinds) -> Counter[str]:
    """Count the digests of the preimages of all leaves, also of those that have no key."""
    flows: Flows = {}
    return Counter(tuning_key(preimage(leaf, kinds, flows)) for leaf in leaves(target))


def leaves(target: Json) -> Iterator[Node]:
    """Yield the leaves of a target, hosts included; none for a mixin."""
    if not is_mixin(target):
        yield from (node for node in nodes(target) if node.kind and node.is_leaf)


def is_host_dependent(node: Node, kinds: Kinds) -> bool:
    """Return whether the code of a leaf depends on the machine that builds it."""
    return any(host_dependent_options(node, kinds))


def host_dependent_options(node: Node, kinds: Kinds) -> Iterator[str]:
    """Yield the options for which a compiler inspects its own machine, missing ones included."""
    for name, values in kinds.targets[node.kind].host_dependent_values.items():
        if node.value.get(name) in values:
            yield name


def host_dependence(name: str, value: Json) -> str:
    """Return why an option with this value, None if absent, depends on the build machine."""
    stated = f"without {name}" if value is None else f"with {name} {echo(value)}"
    return f"{stated} a compiler takes it from the machine that it runs on"


def preimage(node: Node, kinds: Kinds, flows: Flows | None = None) -> dict[str, Any]:
    """Return a flat object of everything that can influence tuning on a leaf.

    `flows` keeps the settings that several leaves of one target share.
    """
    kind = kinds.targets[node.kind]
    result = _options(node, kind)
    result |= {"kind": node.kind, "keys": effective_keys(node, kind)}
    if libs := _deduplicate(
        lib for outer in (node, *node.enclosing) for lib in _list(outer, "libs")
    ):
        result["libs"] = libs
    if node.enclosing_codegens:
        result["codegen"] = list(node.enclosing_codegens)
    if flow := _shared_flow(node, kinds, {} if flows is None else flows):
        result["flow"] = flow
    return result


def effective_keys(node: Node, kind: Kind) -> list[str]:
    """Return the keys that TVM uses to look up schedules for a node, in TVM's order."""
    stated = node.value.get("keys")
    device = [node.value["device"]] if "device" in node.value else []
    if _is_arm(node):
        return _deduplicate([*(stated or ()), *ARM_KEYS, *device])
    if stated is None:
        return _deduplicate([*device, *kind.default_keys])
    return _deduplicate([*stated, *device])


def _is_arm(node: Node) -> bool:
    triple, cpu = node.value.get("mtriple", ""), node.value.get("mcpu", "")
    if node.kind == "llvm" and triple.startswith(ARM_TRIPLES):
        return True
    return node.kind in ("llvm", "c") and cpu.startswith(ARM_M_PROFILE)


def _options(node: Node, kind: Kind) -> dict[str, Any]:
    """Return the leaf's own options that can influence tuning, including defaults."""
    values: dict[str, Any] = {}
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
            values[name] = _normal_value(option, value)
    return values


def _normal_value(option: Option, value: Any) -> Any:
    """Return the one form of a value that can be written in several ways."""
    # Decision 054: only preimages are normalized; a target keeps what its author wrote.
    if option.name == "mtriple":
        return normalize(value)
    return _features(value) if option.is_features else value


def _holds(node: Node, where: Mapping[str, Json] | None) -> bool:
    return all(node.value.get(name) == value for name, value in (where or {}).items())


def _features(value: list[str]) -> list[str]:
    """Return features in their normal order; of one that is named twice the last mention counts.

    They are sorted if all have the same sign: `-avx,+avx2` is not `+avx2,-avx`.
    """
    last: dict[str, str] = {}
    for feature in value:
        last.pop(feature[1:], None)
        last[feature[1:]] = feature
    features = list(last.values())
    signs = {feature[:1] for feature in features}
    return sorted(features) if len(signs) == 1 else features


def _shared_flow(node: Node, kinds: Kinds, flows: Flows) -> dict[str, Any]:
    """Return the settings of a leaf: those of the nearest node that states any."""
    owner = node.owner(FLOW)
    if owner is None:
        return {}
    if owner.pointer not in flows:
        flows[owner.pointer] = _flow(owner, kinds)
    return flows[owner.pointer]


def _flow(node: Node, kinds: Kinds) -> dict[str, Any]:
    """Merge the flow settings that apply to a leaf and affect tuning; the nearest ones win.

    Settings have the names of TVM 0.27, and defaults are left out.
    """
    merged: dict[str, Any] = {}
    for outer in reversed((node, *node.enclosing)):
        settings = outer.value.get(FLOW, {})
        merged |= {current_name(name): value for name, value in settings.items()}
    affecting = {}
    for name, value in merged.items():
        option = kinds[FLOW].option(name)
        is_default = option is not None and is_same_json(value, option.default)
        if value != [] and not is_default and (option is None or option.affects_tuning):
            affecting[name] = value
    return affecting


def _list(node: Node, name: str) -> list[str]:
    names: list[str] = node.value.get(name, [])
    return names


def _deduplicate(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
