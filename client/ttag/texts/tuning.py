"""The format `tuning`: what the tuning keys of a target's leaves digest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ttag.canonical_json import canonical, digest_of, is_same
from ttag.texts.claimed_text import Claim, Unexpected, check_option, shown
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import KIND, Node, nodes
from ttag_rules.pointer import child

PREFIX = "tk1:"
FLOW = "flow"
DEFAULT = re.compile(TABLES["patterns"]["word"])


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the values are those of the leaves, and have the tuning keys.

    What a node does not state is a default of its kind, which only the registry knows.
    """
    members = claim.members()
    preimages, keys = members["tuning"], members["tuning_keys"]
    if keys != dict(claim.tuning_keys):
        raise Unexpected("has other tuning keys than the resolution")
    if preimages.keys() != keys.keys():
        raise Unexpected("has keys of other leaves than it describes")
    leaves = {node.pointer: node for node in nodes(claim.target) if node.is_leaf}
    for pointer, preimage in preimages.items():
        if pointer not in leaves:
            raise Unexpected(f"describes {shown(pointer)}, which is not a leaf of the target")
        if keys[pointer] != PREFIX + digest_of(canonical(preimage)).removeprefix("sha256:"):
            raise Unexpected(f"does not have its tuning key at {shown(pointer)}")
        _check_preimage(claim, preimage, leaves[pointer])
    for pointer in leaves.keys() - preimages.keys():
        claim.require(pointer)


def _check_preimage(claim: Claim, preimage: Mapping[str, Any], node: Node) -> None:
    for name, value in preimage.items():
        stated = node.value.get(name)
        match name:
            case "keys":
                matches = _are_words(value)
            case "libs" | "codegen":
                matches = _are_words(value) and (claim.is_node or _are_enclosing(name, value, node))
            case "flow":
                matches = _is_flow(value, node)
            case "mattr" if stated:
                matches = set(value) <= set(stated)
            case _ if stated is None or stated == []:
                matches = _is_default(value)
            case _:
                check_option(node.pointer, name, value, stated)
                matches = True
        if not matches:
            raise Unexpected(f"says {shown(value)} at {shown(child(node.pointer, name))}")
    if preimage.get(KIND) != node.kind:
        raise Unexpected(f"has another kind than the target at {shown(node.pointer)}")


def _are_enclosing(name: str, value: list[str], node: Node) -> bool:
    known: set[str] = set()
    for outer in (node, *node.enclosing):
        stated = outer.value.get(name, [])
        known |= {stated} if isinstance(stated, str) else set(stated)
    return set(value) <= known


def _is_flow(value: Mapping[str, Any], node: Node) -> bool:
    """Return whether settings are those of the node or of those that enclose it."""
    known: dict[str, list[Any]] = {}
    for outer in (node, *node.enclosing):
        for name, setting in outer.value.get(FLOW, {}).items():
            known.setdefault(TABLES["tvm"]["settings"].get(name, name), []).append(setting)
    return all(
        any(is_same(setting, each) for each in known.get(name, ()))
        for name, setting in value.items()
    )


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_word, value))


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(DEFAULT.fullmatch(value))


def _is_default(value: Any) -> bool:
    return isinstance(value, bool | int | float) or _is_word(value) or _are_words(value)
