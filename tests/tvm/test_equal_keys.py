"""Targets with equal keys get equal code; where code differs, so do keys.

With `--thorough` for 200 pairs of leaves, otherwise for 16, always the same ones.
"""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from registry.domain.closed_nodes import close_node
from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.domain.keys.build_key import compute_build
from registry.domain.keys.tuning import leaves, tuning_keys
from tests.domain.builders import KINDS
from tests.domain.shipped import library
from tests.profiles import is_thorough
from tests.tvm.compiler import Compiler
from tests.tvm.leaves import compiled, without_type_names
from ttag_rules.pointer import ROOT
from ttag_rules.triple_normalization import normalize

PAIRS = 200 if is_thorough() else 16
GENERATED = (
    "llvm",
    "cuda",
    "opencl",
    "nvptx",
    "rocm",
    "metal",
)  # PyPI's wheel writes code for them
FACTS = {"vendor": "Acme", "model": "Another Machine", "cores": 3}
# Source code for CUDA and OpenCL names no processor.
OTHER_CODE: dict[str, dict[str, Any]] = {
    "llvm": {"opt-level": 0},
    "rocm": {"mcpu": "gfx906"},
}

Leaf = dict[str, Any]


def shuffled_leaves() -> Iterator[Leaf]:
    """Yield distinct leaves of the catalogue by themselves, in an order of their own."""
    distinct = {
        str(own): own
        for versions in library().versions.values()
        for leaf in leaves(versions[-1].resolution.target)
        if leaf.kind in GENERATED and not leaf.enclosing_codegens
        if (own := options_of(close_node(versions[-1].resolution.target, leaf.pointer).target))
    }
    order = sorted(distinct)
    random.Random(1).shuffle(order)  # noqa: S311 - which tests run is no secret
    return (distinct[key] for key in order)


def options_of(target: Any) -> Leaf:
    """Return a leaf without what stands around its code."""
    around = {"host", "hardware", "executor", "runtime", "flow", "libs"}
    return {name: value for name, value in target.items() if name not in around}


def spellings(leaf: Leaf) -> Iterator[Leaf]:
    """Yield other ways to write a leaf, each of which must keep its keys."""
    yield {**leaf, "hardware": FACTS}
    triple = str(leaf.get("mtriple", ""))
    short = triple.replace("-unknown-", "-")
    if triple and short != triple and normalize(short) == normalize(triple):
        yield {**leaf, "mtriple": short}
    kind = KINDS.targets[leaf["kind"]]
    for name, option in kind.options.items():
        if option.default is not None and name not in leaf:
            yield {**leaf, name: option.default}


def build_key(leaf: Leaf) -> str | None:
    return compute_build(leaf, KINDS).key


def tuning_key(leaf: Leaf) -> str | None:
    return tuning_keys(leaf, KINDS).get(ROOT)


def code(tvm: Compiler, leaf: Leaf) -> str:
    """Return the code of a scheduled function, as a build with the format `tvm` gives it."""
    content = FORMATS["tvm"].write(Subject("acme/x@1.0.0", leaf, KINDS)).content
    assert isinstance(content, dict)
    exported: Any = content["target"]
    text, _ = compiled(tvm, exported)
    return without_type_names(text)


def pairs(key_of: Any) -> Iterator[tuple[Leaf, Leaf]]:
    """Yield leaves, each with one of its spellings that has the same key."""
    for leaf in shuffled_leaves():
        if key := key_of(leaf):
            options = [other for other in spellings(leaf) if key_of(other) == key]
            yield leaf, options[sum(map(ord, str(leaf))) % len(options)]


@pytest.mark.parametrize("key_of", [build_key, tuning_key])
def test_equal_keys_mean_equal_code(tvm: Compiler, key_of: Any) -> None:
    different = [
        (leaf, other)
        for leaf, other in islice(pairs(key_of), PAIRS)
        if code(tvm, leaf) != code(tvm, other)
    ]
    assert not different


def test_spellings_of_a_triple_and_stated_defaults_are_among_the_pairs() -> None:
    leaf: Leaf = {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": "cortex-a72"}
    others = list(spellings(leaf))
    assert {**leaf, "mtriple": "aarch64-linux-gnu"} in others
    assert {**leaf, "opt-level": 3} in others
    assert {tuning_key(other) for other in others} == {tuning_key(leaf)}
    assert build_key(others[0]) == build_key(leaf)


@pytest.mark.parametrize("kind", OTHER_CODE)
def test_other_code_means_other_keys(tvm: Compiler, kind: str) -> None:
    leaf = next(each for each in shuffled_leaves() if each["kind"] == kind)
    other = {**leaf, **OTHER_CODE[kind]}
    assert code(tvm, leaf) != code(tvm, other)
    assert build_key(leaf) != build_key(other)
    assert tuning_key(leaf) != tuning_key(other)
