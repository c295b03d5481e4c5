"""TVM compiles every leaf that has a tuning key for its own triple, processor and features.

TVM and LLVM print a warning where they replace or ignore one of these; then a key would promise
what the code does not keep. `PROVEN` says for each kind how far this goes.
"""

import re
from enum import StrEnum
from typing import Any

import pytest

from registry.domain.composition import COMPOSITES, nodes
from registry.domain.tuning import tuning_key
from tests.domain.builders import KINDS
from tests.domain.formats.subjects import catalogue
from tests.tvm.compiler import Compiler, TvmError


class Proof(StrEnum):
    """The last step of compiling to which a kind's leaves were followed."""

    CONSTRUCTED = "constructed"  # TVM accepts the target; its wheel has no code generator for it
    GENERATED = "code generated"
    RUN = "run"  # where this machine has the processor: test_compiling.py


PROVEN = {
    "llvm": Proof.RUN,
    "c": Proof.GENERATED,
    "cuda": Proof.GENERATED,  # source; its architecture as that of nvptx
    "cuda_host": Proof.GENERATED,
    "hexagon": Proof.GENERATED,  # by kind llvm with the same triple, processor and features
    "metal": Proof.GENERATED,
    "nvptx": Proof.GENERATED,
    "opencl": Proof.GENERATED,
    "rocm": Proof.GENERATED,
    "webgpu": Proof.GENERATED,
    "ext_dev": Proof.CONSTRUCTED,
    "test": Proof.CONSTRUCTED,
    "trn": Proof.CONSTRUCTED,
    "vulkan": Proof.CONSTRUCTED,  # tests/real/test_iree.py compiles SPIR-V for Adreno
}
SAMPLES: dict[str, dict[str, Any]] = {
    "llvm": {"mtriple": "x86_64-unknown-linux-gnu"},
    "hexagon": {"mtriple": "hexagon", "mcpu": "hexagonv68"},
    "cuda": {"arch": "sm_80"},
    "nvptx": {"mcpu": "sm_80"},
    "rocm": {"mcpu": "gfx90a", "mattr": ["+xnack"]},
}
# Leaves for which TVM is known to replace the processor: LLVM 22 does not know it yet.
REPLACED = {"riscv/spacemit-k3@1.0.0#": "spacemit-x100"}
# Messages about something else: the build machine's ROCm, and vectors of a CPU that has none.
HARMLESS = re.compile(
    r".*Warning: (Unable to detect ROCm version|Cannot get maximum number of threads|"
    r"Set native vector bits to be 128 for `thumbv6m`).*\n"
)
LLVM_OPTIONS = ("mtriple", "mcpu", "mattr", "mabi", "mfloat-abi")


def leaves() -> dict[str, dict[str, Any]]:
    """Return one leaf of every tuning key in the catalogue, by its place."""
    by_key: dict[str, tuple[str, dict[str, Any]]] = {}
    for exact, subject in catalogue().items():
        for node in nodes(subject.target):
            if preimage := subject.preimages.get(node.pointer):
                by_key.setdefault(tuning_key(preimage), (f"{exact}#{node.pointer}", node.own))
    return dict(by_key.values())


LEAVES = leaves()
COMPILED = [place for place, own in LEAVES.items() if PROVEN[own["kind"]] is not Proof.CONSTRUCTED]


def compiled(tvm: Compiler, target: dict[str, Any]) -> tuple[str, str]:
    """Return the code for a leaf, and what TVM printed."""
    result = tvm.call("generate", target=target)
    if "error" in result:
        raise TvmError(result["error"])
    return result["code"], HARMLESS.sub("", result["messages"])


def through_llvm(own: dict[str, Any]) -> dict[str, Any]:
    """Return the leaf with which LLVM checks a leaf that it does not see otherwise."""
    if own["kind"] == "cuda":
        return {"kind": "nvptx", "mcpu": own["arch"]}
    if own["kind"] == "hexagon":
        return {"kind": "llvm", **{name: own[name] for name in LLVM_OPTIONS if name in own}}
    return own


def missing(code: str, own: dict[str, Any]) -> list[str]:
    """Return what the code of a leaf should contain, and does not."""
    expected = []
    if own["kind"] in ("llvm", "hexagon"):
        expected += [
            f'target triple = "{own["mtriple"]}"',
            f'"target-cpu"="{own.get("mcpu", "generic")}"',
        ]
        if "mattr" in own:
            expected.append(f'"target-features"="{",".join(own["mattr"])}"')
    elif own["kind"] in ("cuda", "nvptx"):
        expected.append(f".target {own.get('arch') or own['mcpu']}\n")
    elif own["kind"] == "rocm":
        expected += [f'"target-cpu"="{own["mcpu"]}"', f"-{own['mcpu']}"]
    return [text for text in expected if text not in code]


@pytest.mark.parametrize("place", COMPILED)
def test_tvm_replaces_nothing_in_a_leaf_with_a_key(tvm: Compiler, place: str) -> None:
    own = LEAVES[place]
    code, messages = compiled(tvm, through_llvm(own))
    if place in REPLACED:
        assert f"`-mcpu={REPLACED[place]}` is not valid" in messages
        return
    assert messages == ""
    assert missing(code, own) == []
    if own["kind"] == "cuda":
        source, messages = compiled(tvm, own)
        assert "__global__" in source
        assert messages == ""


def test_most_leaves_are_compiled() -> None:
    assert len(COMPILED) > 80
    assert {LEAVES[place]["kind"] for place in COMPILED} > {"llvm", "c", "cuda", "hexagon"}
    assert REPLACED.keys() <= set(COMPILED)


@pytest.mark.parametrize("kind", sorted(PROVEN))
def test_kinds_are_proven_as_far_as_stated(tvm: Compiler, kind: str) -> None:
    own = {"kind": kind, **SAMPLES.get(kind, {})}
    assert tvm.export(own)["kind"] == kind
    if PROVEN[kind] is Proof.CONSTRUCTED:
        with pytest.raises(TvmError):
            compiled(tvm, own)
        return
    code, messages = compiled(tvm, through_llvm(own))
    assert code
    assert messages == ""
    assert missing(code, own) == []


def test_every_kind_of_a_leaf_is_in_the_table() -> None:
    assert PROVEN.keys() == KINDS.targets.keys() - COMPOSITES


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"kind": "llvm", "mcpu": "neoverse-v2"}, "using default `-mcpu=generic`"),
        ({"kind": "nvptx", "mcpu": "sm_999"}, "not a recognized processor"),
        (
            {"kind": "llvm", **SAMPLES["llvm"], "mattr": ["+nosuchfeature"]},
            "not a recognized feature",
        ),
    ],
)
def test_replaced_names_are_noticed(tvm: Compiler, own: dict[str, Any], message: str) -> None:
    assert message in compiled(tvm, own)[1]


def test_a_crash_does_not_end_the_run(tvm: Compiler) -> None:
    crashing = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "hexagonv68"}
    crashing["kind"] = "hexagon"  # TVM's generator aborts for another architecture
    with pytest.raises(TvmError):
        compiled(tvm, crashing)
    assert tvm.call("versions")
