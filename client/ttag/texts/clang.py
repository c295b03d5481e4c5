"""The format `clang`: the flags of the target's CPU, or its host's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ttag.texts.claimed_text import Claim, Unexpected, shown
from ttag.texts.grammar import Item, parse
from ttag.texts.triples import architecture, is_same_triple, with_float_abi
from ttag_rules.compiled_options import FLOAT_ABI
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import HOST, Node
from ttag_rules.pointer import child

CLANG = TABLES["clang"]
PROFILE = re.compile(CLANG["profile"])
OPTIONS = ("mtriple", "march", "mcpu", "mabi", FLOAT_ABI, "mattr")


def check(claim: Claim) -> None:
    """Raise `Unexpected` unless the text is the flags of the target's CPU."""
    items = parse("clang", claim.text)
    find_cpu(claim, items)


def find_cpu(claim: Claim, items: Sequence[Item]) -> Node:
    """Return the CPU that flags describe. Raises `Unexpected` if they describe none.

    The CPU is the target or its host. A kind that this release does not know may be either.
    """
    error = Unexpected("describes a CPU that is not in the target")
    for node in _candidates(claim):
        try:
            _check_flags(claim, node, items)
        except Unexpected as unexpected:
            error = unexpected
            if node.kind in CLANG["cpus"]:
                break
        else:
            return node
    raise error


def has_cpu(claim: Claim) -> bool:
    """Return whether the target or its host certainly is a CPU that has flags."""
    cpus = [node for node in _candidates(claim) if node.kind in CLANG["cpus"]]
    return any("mtriple" in node.value for node in cpus[:1])


def _candidates(claim: Claim) -> list[Node]:
    candidates = []
    node = Node("", dict(claim.target))
    while True:
        if node.kind not in CLANG["others"]:
            candidates.append(node)
        host = node.value.get(HOST)
        if not isinstance(host, dict):
            return candidates
        node = Node(child(node.pointer, HOST), host, (node, *node.enclosing))


def stated_triples(node: Node) -> list[str]:
    """Return the triple of a node; without one, that of Arm's M profile if its CPU implies it."""
    if "mtriple" in node.value:
        return [str(node.value["mtriple"])]
    prefix, triple = CLANG["m_profile"]
    return [triple] if str(node.value.get("mcpu", "")).startswith(prefix) else []


def _check_flags(claim: Claim, node: Node, items: Sequence[Item]) -> None:
    values = {item.name: item.value for item in items}
    triples = stated_triples(node)
    target = values.pop("target", "")
    if target and not any(is_same_triple(target, each) for each in triples):
        raise Unexpected(f"holds the triple {shown(target)}, which is not in the target")
    if not target and ("mtriple" in node.value or (triples and "march" not in node.value)):
        raise Unexpected("lacks the triple of the target")
    features = [item.value for item in items if item.name == "feature"]
    values.pop("feature", None)
    expected = _expected(claim, node, architecture(triples[0]) if triples else "", values)
    stated = [str(feature) for feature in node.value.get("mattr", ())]
    profiles = [match[1] for match in map(PROFILE.fullmatch, stated) if match]
    if profiles:
        expected["march"] = profiles[0]
    if features != [feature for feature in stated if not PROFILE.fullmatch(feature)]:
        raise Unexpected(f"has the features {shown(features)}, which are not those of the target")
    if values != expected:
        different = {*values.items()} ^ {*expected.items()}
        name, value = min(different)
        side = "holds" if name in values else "lacks"
        raise Unexpected(f"{side} the flag {shown(f'-{name}={value}')}")


def _expected(claim: Claim, node: Node, arch: str, values: dict[str, str]) -> dict[str, str]:
    """Return the flags of a node, by the rules of its architecture.

    Where the architecture is in no table, a flag may be missing that the format says it drops.
    """
    rules: dict[str, Any] | None = CLANG["architectures"].get(arch)
    options = with_float_abi(node.value) if FLOAT_ABI in values else node.value
    stated = {name: str(options[name]) for name in OPTIONS[1:-1] if name in options}
    cpu = stated.pop("mcpu", None)
    if rules is None:
        expected = {
            name: value
            for name, value in stated.items()
            if name in values or not claim.is_dropped(child(node.pointer, name))
        }
        flag = next((name for name in ("mcpu", "march") if values.get(name) == cpu), "mcpu")
        is_dropped = claim.is_dropped(child(node.pointer, "mcpu"))
        if cpu is not None and (not is_dropped or flag in values) and flag not in expected:
            expected[flag] = cpu
        return expected
    if not rules.get("abi"):
        stated.pop("mabi", None)
    if not rules.get("float_abi"):
        stated.pop(FLOAT_ABI, None)
    elif FLOAT_ABI in values and values[FLOAT_ABI] == CLANG["float_abis"].get(
        stated.get(FLOAT_ABI)
    ):
        stated[FLOAT_ABI] = values[FLOAT_ABI]  # texts from before have clang's other word
    if cpu is not None and (cpu != CLANG["generic"] or rules.get("generic")):
        stated.setdefault(rules["cpu"].removeprefix("-"), cpu)
    return stated
