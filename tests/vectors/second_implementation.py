"""A second implementation of docs/tuning.md, from the facts in `kind_facts.json` alone.

It shows that the vectors suffice to write one. Only LLVM's normal form of triples and the names
that TVM gave pass settings are the registry's: neither is a rule about keys.
"""

import hashlib
import json
from typing import Any

from ttag_rules.flow_names import current_name
from ttag_rules.triple_normalization import normalize

Node = dict[str, Any]
NEVER = {"executor", "runtime", "host", "hardware", "devices", "flow", "keys", "libs", "kind"}
M_PROFILE = tuple(f"cortex-m{core}" for core in ("0", "3", "4", "7", "33", "35p", "55", "85"))


def sha256(scheme: str, value: Any) -> str:
    """Return a key. These texts are ASCII and integers, for which RFC 8785 is this call."""
    whole = json.loads(json.dumps(value), parse_float=lambda text: int(float(text)))
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"{scheme}:{hashlib.sha256(text.encode()).hexdigest()}"


def path_to(target: Node, pointer: str) -> list[Node]:
    """Return a node and those that enclose it, nearest first."""
    path: list[Node] = [target]
    value: Any = target
    for token in pointer.split("/")[1:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
        if "kind" in value:  # no device has this label
            path.insert(0, value)
    return path


def distinct(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


def preimage(target: Node, pointer: str, facts: Node) -> tuple[Node, bool]:
    """Return what the key of a leaf digests, and whether it has one."""
    node, *enclosing = path_to(target, pointer)
    kind = facts[node["kind"]]
    options = {}
    for name, option in kind["options"].items():
        value = node.get(name)
        if value in (None, []) and "derived" in option:
            where = option.get("derived_where", {})
            holds = all(node.get(other) == wanted for other, wanted in where.items())
            value = option["derived"] if holds else None
        if value in (None, []):
            value = option.get("default")
        if option["affects_tuning"] and value is not None and name not in NEVER:
            options[name] = value
    if "mtriple" in options:
        options["mtriple"] = normalize(options["mtriple"])
    if "mattr" in options:
        options["mattr"] = features(options["mattr"])
    result = {**options, "kind": node["kind"], "keys": effective_keys(node, kind["keys"])}
    libs = distinct([lib for around in (node, *enclosing) for lib in around.get("libs", [])])
    codegens = [around["codegen"] for around in enclosing if "codegen" in around]
    parts = {"libs": libs, "codegen": codegens, "flow": flow([node, *enclosing], facts)}
    dependent = any(
        node.get(name) in option.get("host_dependent", [])
        for name, option in kind["options"].items()
    )
    return result | {name: part for name, part in parts.items() if part}, not dependent


def features(listed: list[str]) -> list[str]:
    names = [feature[1:] for feature in listed]
    kept = [feature for i, feature in enumerate(listed) if feature[1:] not in names[i + 1 :]]
    return sorted(kept) if len({feature[0] for feature in kept}) == 1 else kept


def effective_keys(node: Node, of_kind: list[str]) -> list[str]:
    device = [node["device"]] if "device" in node else []
    is_arm = node["kind"] == "llvm" and node.get("mtriple", "").startswith(("arm", "aarch64"))
    if is_arm or (node["kind"] in {"llvm", "c"} and node.get("mcpu", "").startswith(M_PROFILE)):
        return distinct([*node.get("keys", []), "arm_cpu", "cpu", *device])
    if "keys" in node:
        return distinct([*node["keys"], *device])
    return distinct([*device, *of_kind])


def flow(path: list[Node], facts: Node) -> Node:
    merged: Node = {}
    for around in reversed(path):
        merged |= {current_name(name): value for name, value in around.get("flow", {}).items()}
    known = facts["flow"]["options"]
    return {
        name: value
        for name, value in merged.items()
        if value != []
        and known.get(name, {}).get("affects_tuning", True)
        and not ("default" in known.get(name, {}) and value is known[name]["default"])
    }
