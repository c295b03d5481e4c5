"""Who reads each value, and whether tuning depends on it."""

from registry.domain.document import Json
from registry.domain.readers import Readers, Readership
from tests.domain.builders import KINDS

TARGET: Json = {
    "kind": "composite",
    "model": "board",
    "libs": ["dnnl"],
    "devices": [{"kind": "llvm", "mcpu": "haswell", "model": "chip"}],
    "flow": {"link-params": True},
}


def at(pointer: str) -> Readers:
    return Readership(TARGET, KINDS).at(pointer)


def test_a_leaf_reads_its_options() -> None:
    assert at("/devices/0/mcpu") == Readers(("codegen",), affects_tuning=True)
    assert at("/devices/0/model") == Readers(("annotation",), affects_tuning=True)


def test_nothing_is_tuned_for_a_composite_but_what_it_passes_down() -> None:
    assert not at("/model").affects_tuning
    assert at("/libs").affects_tuning


def test_what_only_calls_kernels_counts_for_no_key() -> None:
    assert not at("/flow/link-params").affects_tuning


def test_of_a_mixin_those_kinds_answer_that_it_can_be_applied_to() -> None:
    patch: Json = {"mcpu": "cortex-m7"}
    assert Readership(patch, KINDS, ["llvm"]).at("/mcpu").consumers == ("codegen",)
    assert Readership(patch, KINDS, ["cuda"]).at("/mcpu").consumers == ("annotation",)
