"""Tuning keys digest a leaf as TVM parses it: with its keys, defaults and derived options."""

from typing import Any

import pytest

from registry.domain.document import Json
from registry.domain.formats.tuning import subject_preimages
from registry.domain.kinds.kinds import Kind
from tests.domain.builders import KINDS
from tests.domain.formats.subjects import catalogue
from tests.domain.keys.test_tuning_effective_keys import MEASURED
from tests.tvm.compiler import Compiler
from ttag_rules.nodes import nodes
from ttag_rules.triple_normalization import normalize

ENCLOSED = {"libs", "flow", "codegen"}  # include values of enclosing nodes, unlike in TVM


@pytest.mark.parametrize(("body", "keys"), MEASURED, ids=str)
def test_effective_keys_equal_tvms(tvm: Compiler, body: Json, keys: list[str]) -> None:
    assert tvm.export(body)["keys"] == keys


def test_preimages_of_shipped_leaves_match_tvms_targets(tvm: Compiler) -> None:
    compared = 0
    for exact, subject in catalogue().items():
        by_pointer = subject_preimages(subject)
        for node in nodes(subject.target):
            if preimage := by_pointer.get(node.pointer):
                parsed = tvm.export(node.own)
                kind = KINDS.targets[node.kind]
                own = tuned(parsed, kind)
                assert completed(own, kind) == tuned(preimage, kind), f"{exact}#{node.pointer}"
                compared += 1
    assert compared > 287


def completed(own: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """Return TVM's options with the defaults of its code generators and a normal triple."""
    defaults = {
        name: option.default
        for name, option in kind.options.items()
        if option.affects_tuning and option.default is not None
    }
    triple = {"mtriple": normalize(own["mtriple"])} if "mtriple" in own else {}
    return {**defaults, **own, **triple}


def tuned(leaf: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """Return a leaf's own options that tuning depends on, with sorted features."""
    return {
        name: sorted(value) if name == "mattr" else value
        for name, value in leaf.items()
        if name in kind.options and kind.options[name].affects_tuning and name not in ENCLOSED
    }
