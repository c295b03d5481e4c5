"""Code that states no processor, for which clang's driver chooses one by the triple."""

import json
from typing import Any

import pytest

from catalogue_tools.compatibility.driver import SPELLINGS, triples
from ttag_rules.compatibility.driver_defaults import FILE, triple_key
from ttag_rules.compatibility.options import BACK_ENDS, OTHERS, Compiler, Options
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import shipped_tables
from ttag_rules.compatibility.verdicts import Answer, Condition

YES, CONDITIONAL, UNKNOWN, NO = Answer.YES, Answer.CONDITIONAL, Answer.UNKNOWN, Answer.NO
MACOS, INTEL_MAC = "arm64-apple-macos", "x86_64-apple-macos"
ANDROID_32, ANDROID_X86 = "armv7a-linux-androideabi", "x86_64-linux-android"
RISCV, RISCV_ANDROID = "riscv64-unknown-linux-gnu", "riscv64-linux-android"
LINUX, BOARD = "x86_64-unknown-linux-gnu", "thumbv7em-none-eabihf"

RECORDED = json.loads(FILE.read_text())["features"]

Leaf = dict[str, Any]


def leaf(triple: str, mcpu: str = "", *mattr: str, **options: Any) -> Leaf:
    stated = {"mcpu": mcpu, "mattr": list(mattr), **options}
    return {
        "kind": "llvm",
        "mtriple": triple,
        **{name: value for name, value in stated.items() if value},
    }


CASES = [
    (leaf(MACOS), leaf(MACOS, "apple-m1"), YES),
    (leaf(MACOS), leaf(MACOS, "apple-a12"), CONDITIONAL),
    (leaf(MACOS), leaf(MACOS), CONDITIONAL),
    (leaf("arm64-apple-macosx14.0"), leaf("arm64-apple-darwin23", "apple-a12"), CONDITIONAL),
    (leaf("arm64e-apple-ios"), leaf("arm64e-apple-ios", "apple-a12"), YES),
    (leaf("arm64-apple-ios-simulator"), leaf("arm64-apple-ios-simulator", "apple-a7"), CONDITIONAL),
    (leaf(INTEL_MAC), leaf(INTEL_MAC, "penryn"), YES),
    (leaf(INTEL_MAC), leaf(INTEL_MAC, "nocona"), CONDITIONAL),
    (leaf("x86_64h-apple-macos"), leaf(INTEL_MAC, "penryn"), CONDITIONAL),
    (leaf(ANDROID_X86), leaf(ANDROID_X86, "core2"), CONDITIONAL),
    (leaf(ANDROID_X86), leaf(ANDROID_X86, "silvermont"), YES),
    (leaf("x86_64-linux-android21"), leaf(ANDROID_X86, "core2"), CONDITIONAL),
    (leaf(ANDROID_32), leaf(ANDROID_32, "cortex-a9", "-neon"), NO),  # LLVM assumes NEON as well
    (leaf(RISCV, mabi="lp64d"), leaf(RISCV, "sifive-u74", mabi="lp64d"), YES),
    (leaf(RISCV, mabi="lp64"), leaf(RISCV, "generic-rv64", "+m", "+a", mabi="lp64"), CONDITIONAL),
    (leaf(RISCV), leaf(RISCV, "sifive-u74"), UNKNOWN),
    (leaf(RISCV), leaf(RISCV, "generic-rv64", "+m", mabi="lp64"), UNKNOWN),
    (leaf(RISCV), leaf(RISCV, "generic-rv64", "+e", mabi="lp64e"), NO),  # neither compiler's
    (leaf(RISCV_ANDROID, mabi="lp64d"), leaf(RISCV_ANDROID, "sifive-u74"), CONDITIONAL),
    (leaf(BOARD), leaf(BOARD, "cortex-m4"), YES),
    (leaf(BOARD), leaf(BOARD, "cortex-m4", "-vfp2sp"), CONDITIONAL),
    # What must not change: Linux for PCs, what states a processor, and what is denied.
    (leaf(LINUX), leaf(LINUX, "nocona"), YES),
    (leaf("aarch64-unknown-linux-gnu"), leaf("aarch64-unknown-linux-gnu", "cortex-a53"), YES),
    (leaf(MACOS, "generic"), leaf(MACOS, "apple-a7"), YES),
    (leaf(INTEL_MAC, "x86-64"), leaf(INTEL_MAC, "nocona"), YES),
    (leaf(INTEL_MAC, "", "-ssse3", "-sahf"), leaf(INTEL_MAC, "nocona"), YES),
    (leaf(INTEL_MAC, "", "+avx2"), leaf(INTEL_MAC, "penryn"), NO),
]


@pytest.mark.parametrize(("code", "machine", "answer"), CASES)
def test_what_clang_alone_uses_is_a_condition(code: Leaf, machine: Leaf, answer: Answer) -> None:
    result = verdict(code, machine)
    assert result.answer is answer, result.reason


COMPILED = [
    # code, machine, the answer for TVM and IREE, for clang, for others
    (leaf(MACOS), leaf(MACOS, "apple-a12"), YES, NO, UNKNOWN),
    (leaf(MACOS), leaf(MACOS), YES, UNKNOWN, UNKNOWN),  # a machine of which nothing is certain
    (leaf(MACOS), leaf(MACOS, "apple-m1"), YES, YES, UNKNOWN),
    (leaf(INTEL_MAC), leaf(INTEL_MAC, "nocona"), YES, NO, UNKNOWN),
    (leaf(RISCV), leaf(RISCV, "sifive-u74"), NO, YES, UNKNOWN),  # lp64 and lp64d
    (leaf(RISCV), leaf(RISCV, "generic-rv64", "+m", mabi="lp64"), YES, NO, UNKNOWN),
    (leaf(LINUX), leaf(LINUX, "nocona"), YES, YES, UNKNOWN),
    (leaf(LINUX), leaf(LINUX), YES, YES, UNKNOWN),
    (leaf(LINUX, "x86-64"), leaf(LINUX, "nocona"), YES, YES, YES),
    (leaf(MACOS, "apple-m1"), leaf(MACOS, "apple-a12"), NO, NO, NO),
    (leaf(LINUX), leaf(INTEL_MAC, "penryn"), NO, NO, NO),
]


@pytest.mark.parametrize(("code", "machine", "back_end", "clang", "other"), COMPILED)
def test_a_stated_compiler_decides_where_the_code_states_no_processor(
    code: Leaf, machine: Leaf, back_end: Answer, clang: Answer, other: Answer
) -> None:
    expected = {**dict.fromkeys(OTHERS, other), **dict.fromkeys(BACK_ENDS, back_end)}
    expected[Compiler.CLANG] = clang
    assert expected == {
        compiler: verdict(code, machine, Options(compiler=compiler)).answer for compiler in Compiler
    }


def test_the_reason_names_a_compiler_that_has_its_own_processor() -> None:
    result = verdict(leaf(LINUX), leaf(LINUX, "haswell"), Options(compiler=Compiler.GCC))
    assert result.reason == "gcc has a processor of its own where code states none: state mcpu."


def test_the_reason_names_the_compiler_and_the_conditions_its_features() -> None:
    result = verdict(leaf(INTEL_MAC), leaf(INTEL_MAC, "nocona"))
    assert result.reason == (
        "It runs unless clang compiled it: for this triple it uses sahf, sse4.1 and 1 more where no"
        " processor is stated."
    )
    assert Condition("feature", "ssse3") in result.conditions


def test_guarded_features_of_clang_are_conditions_and_count_where_strict() -> None:
    machine = leaf(MACOS, "apple-m1", "-aes")
    result = verdict(leaf(MACOS), machine)
    assert (result.answer, result.conditions) == (CONDITIONAL, (Condition("feature", "aes"),))
    strict = verdict(leaf(MACOS), machine, Options(strict=True))
    assert strict.answer is CONDITIONAL
    assert "clang" in strict.reason


@pytest.mark.parametrize("architecture", SPELLINGS)
def test_the_baseline_never_runs_for_certain_what_clang_compiled_for_more(
    architecture: str,
) -> None:
    table = shipped_tables().instruction_sets[architecture]
    asked = [triple for triple in triples(architecture) if _row(triple) in RECORDED]
    answers = {verdict(leaf(each), leaf(each, table.baseline)).answer for each in asked}
    assert YES not in answers


def _row(triple: str) -> str:
    return triple_key(Processor.from_leaf("", leaf(triple), shipped_tables()))
