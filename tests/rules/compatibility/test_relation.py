"""Whether code for one processor runs on another, and what is said about it."""

from typing import Any

import pytest

from ttag_rules.compatibility.options import FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension

YES, CONDITIONAL, UNKNOWN, NO = Answer.YES, Answer.CONDITIONAL, Answer.UNKNOWN, Answer.NO
LINUX = {
    "x86": "x86_64-unknown-linux-gnu",
    "a64": "aarch64-unknown-linux-gnu",
    "rv64": "riscv64-unknown-linux-gnu",
    "arm": "armv7-unknown-linux-gnueabihf",
}

Target = dict[str, Any]


def cpu(mcpu: str, triple: str = "x86", **options: Any) -> Target:
    leaf = {"kind": "llvm", "mtriple": LINUX.get(triple, triple), **options}
    return {**leaf, "mcpu": mcpu} if mcpu else leaf


PROCESSORS = [
    # code, machine, answer
    (cpu("x86-64"), cpu("nehalem"), YES),
    (cpu("x86-64-v3"), cpu("haswell"), YES),
    (cpu("x86-64-v3"), cpu("znver1"), YES),
    (cpu("haswell"), cpu("sapphirerapids"), YES),
    (cpu("x86-64-v4"), cpu("znver4"), YES),
    (cpu(""), cpu("k8"), YES),
    (cpu("skylake"), cpu("haswell"), CONDITIONAL),  # AES
    (cpu("westmere"), cpu("x86-64-v3"), CONDITIONAL),
    (cpu("x86-64-v3"), cpu("ivybridge"), NO),
    (cpu("haswell"), cpu("nehalem"), NO),
    (cpu("znver4"), cpu("sapphirerapids"), NO),  # SSE4a
    (cpu("sapphirerapids"), cpu("znver4"), NO),
    (cpu("skylake-avx512"), cpu("alderlake"), NO),
    (cpu("haswell", mattr=["+avx512f"]), cpu("haswell"), NO),
    (cpu("haswell"), cpu("haswell", mattr=["-fma"]), NO),
    (cpu("haswell", mattr=["-avx2"]), cpu("haswell", mattr=["-avx2"]), YES),
    (cpu("x86-64-v4"), cpu("x86-64-v3"), UNKNOWN),  # at least v3
    (cpu("x86-64-v4"), cpu("x86-64-v3", mattr=["-avx512f"]), NO),
    (cpu("haswell"), cpu(""), UNKNOWN),
    (cpu("haswell"), cpu("a-cpu-of-tomorrow"), UNKNOWN),
    (cpu("a-cpu-of-tomorrow"), cpu("a-cpu-of-tomorrow"), YES),
    (cpu("native"), cpu("native"), UNKNOWN),
    (cpu("haswell"), cpu("native"), UNKNOWN),
    (cpu("generic", "a64"), cpu("cortex-a53", "a64"), YES),
    (cpu("cortex-a76", "a64"), cpu("neoverse-n1", "a64"), YES),
    (cpu("neoverse-n1", "a64"), cpu("cortex-a72", "a64"), NO),  # atomics
    (cpu("neoverse-v1", "a64"), cpu("neoverse-n1", "a64"), NO),  # SVE
    (cpu("generic", "a64", mattr=["+sha3"]), cpu("cortex-a76", "a64"), NO),
    (cpu("generic", "a64", mattr=["+crc"]), cpu("cortex-a76", "a64"), YES),
    (cpu("generic", "a64", mattr=["+v8.2a"]), cpu("cortex-a55", "a64"), YES),
    (cpu("cortex-a7", "arm"), cpu("cortex-a53", "arm"), YES),
    (cpu("cortex-a53", "arm"), cpu("cortex-a7", "arm"), NO),
    (cpu("generic-rv64", "rv64", mattr=["+rva20u64"]), cpu("sifive-u74", "rv64"), YES),
    (cpu("spacemit-x60", "rv64"), cpu("sifive-u74", "rv64"), NO),
    (cpu("sifive-x280", "rv64"), cpu("spacemit-x60", "rv64"), NO),  # vectors of 512 bits
    (cpu("z14", "s390x-unknown-linux-gnu"), cpu("z15", "s390x-unknown-linux-gnu"), YES),
    (cpu("z15", "s390x-unknown-linux-gnu"), cpu("z14", "s390x-unknown-linux-gnu"), NO),
]


@pytest.mark.parametrize(("code", "machine", "answer"), PROCESSORS)
def test_a_processor_needs_all_that_a_compiler_uses(
    code: Target, machine: Target, answer: Answer
) -> None:
    result = verdict(code, machine)
    assert result.answer is answer, result.reason


LOADERS = [
    ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu", YES),
    ("x86_64-linux-gnu", "x86_64-pc-linux-gnu", YES),
    ("x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc", YES),
    ("arm64-apple-darwin", "arm64-apple-macos", YES),
    ("arm64-apple-macos", "arm64e-apple-macos", YES),
    ("i686-unknown-linux-gnu", "x86_64-unknown-linux-gnu", NO),
    ("x86_64-unknown-linux-gnux32", "x86_64-unknown-linux-gnu", NO),
    ("armv7-unknown-linux-gnueabihf", "aarch64-unknown-linux-gnu", NO),
    ("aarch64_be-unknown-linux-gnu", "aarch64-unknown-linux-gnu", NO),
    ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl", NO),
    ("x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu", NO),
    ("aarch64-linux-android", "aarch64-linux-gnu", NO),
    ("x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", NO),
    ("x86_64-apple-macos", "arm64-apple-macos", NO),  # Rosetta is not stated
    ("arm64-apple-ios", "arm64-apple-macos", NO),
    ("arm64e-apple-macos", "arm64-apple-macos", NO),
    ("armv7-unknown-linux-gnueabi", "armv7-unknown-linux-gnueabihf", NO),
    ("armv7-none-eabihf", "armv7-unknown-linux-gnueabihf", NO),
    ("x86_64-unknown-unknown", "x86_64-unknown-linux-gnu", UNKNOWN),
    ("x86_64-unknown-linux-gnu", "x86_64-unknown-unknown", UNKNOWN),
    ("x86_64-unknown-linux", "x86_64-unknown-linux-gnu", UNKNOWN),
    ("x86_64-unknown-linux-gnu", "", UNKNOWN),
    ("", "x86_64-unknown-linux-gnu", UNKNOWN),
]


@pytest.mark.parametrize(("code", "machine", "answer"), LOADERS)
def test_a_loader_takes_what_it_was_made_for(code: str, machine: str, answer: Answer) -> None:
    built_for: Target = {"kind": "llvm", "mtriple": code} if code else {"kind": "llvm"}
    has: Target = {"kind": "llvm", "mtriple": machine} if machine else {"kind": "llvm"}
    findings = verdict(built_for, has).findings
    (loader,) = [each for each in findings if each.dimension is Dimension.LOADER]
    assert loader.answer is answer, loader.reason


@pytest.mark.parametrize(
    ("code", "machine", "answer"),
    [
        ({"mabi": "lp64d"}, {"mabi": "lp64d"}, YES),
        ({"mabi": "lp64d"}, {}, YES),  # LLVM chooses it where there is double precision
        ({"mabi": "lp64"}, {}, NO),
        ({"mabi": "lp64"}, {"mabi": "lp64d"}, NO),
    ],
)
def test_conventions_of_riscv_follow_from_its_features(
    code: Target, machine: Target, answer: Answer
) -> None:
    sides = [cpu("sifive-u74", "rv64", **options) for options in (code, machine)]
    assert verdict(sides[0], sides[1]).answer is answer


def test_the_option_for_floats_overrides_the_triple() -> None:
    soft = cpu("cortex-a7", "armv7-unknown-linux-gnueabi")
    hard = cpu("cortex-a7", "armv7-unknown-linux-gnueabi", **{"mfloat-abi": "hard"})
    assert verdict(hard, cpu("cortex-a7", "arm")).answer is YES
    assert verdict(soft, cpu("cortex-a7", "arm")).answer is NO


@pytest.mark.parametrize(
    ("machine", "answer", "conditions"),
    [
        ("arm64-apple-macosx15.0", YES, ()),
        ("arm64-apple-macosx13.0", NO, ()),
        ("arm64-apple-macos", YES, (Condition("system", "macos", "14.2"),)),
    ],
)
def test_the_version_of_a_system_is_a_floor(
    machine: str, answer: Answer, conditions: tuple[Condition, ...]
) -> None:
    result = verdict(cpu("apple-m1", "arm64-apple-macosx14.2"), cpu("apple-m1", machine))
    assert (result.answer, result.conditions) == (answer, conditions)


def test_features_that_only_intrinsics_use_are_conditions() -> None:
    result = verdict(cpu("nehalem", mattr=["+aes", "+pclmul"]), cpu("nehalem"))
    assert result.answer is CONDITIONAL
    assert [each.value for each in result.conditions] == ["aes", "pclmul"]
    assert result.reason == "It runs unless it uses AES (aes and pclmul) without a check."


def test_what_is_asked_for_and_denied_does_not_run() -> None:
    machine = cpu("haswell", mattr=["-aes"])
    assert verdict(cpu("haswell", mattr=["+aes"]), machine).answer is NO
    assert verdict(cpu("skylake"), machine).answer is CONDITIONAL
    assert verdict(cpu("haswell", mattr=["+aes"]), cpu("haswell")).answer is CONDITIONAL


@pytest.mark.parametrize("feature", ["+prefer-256-bit", "+fast-gather", "+retpoline", "-made-up"])
def test_features_that_only_tune_need_nothing(feature: str) -> None:
    code = cpu("haswell", mattr=[feature])
    assert verdict(code, cpu("haswell")).answer is YES
    assert verdict(cpu("haswell"), code).answer is YES


def test_a_feature_that_llvm_does_not_have_is_unknown() -> None:
    code = cpu("haswell", mattr=["+made-up"])
    result = verdict(code, cpu("haswell"))
    assert (result.answer, result.reason) == (UNKNOWN, "LLVM 22 has no feature made-up.")
    assert verdict(cpu("haswell"), code).answer is YES
    assert verdict(code, code).answer is YES  # the same, whatever it is


@pytest.mark.parametrize(
    ("code", "machine", "answer"),
    [
        (["+c", "+d", "+zcd"], ["+c", "+d"], YES),  # as LLVM writes it into objects
        (["+zca", "+d", "+zcd"], ["+c", "+d"], YES),
        (["+c", "+d"], ["+c", "+d"], YES),
        (["+zcd"], ["+d"], NO),
        (["+zcd"], ["+c"], NO),
        (["+zcd"], ["+zca", "+d", "+zcmp"], NO),  # which has its encodings
    ],
)
def test_compressed_floating_point_is_a_part_of_both(
    code: list[str], machine: list[str], answer: Answer
) -> None:
    built_for, has = (
        cpu("rocket-rv64", "rv64", mattr=mattr, mabi="lp64") for mattr in (code, machine)
    )
    assert verdict(built_for, has).answer is answer


def test_strict_counts_guarded_instructions_as_emitted() -> None:
    assert verdict(cpu("westmere"), cpu("nehalem"), Options(strict=True)).answer is NO
    assert verdict(cpu("westmere"), cpu("westmere"), Options(strict=True)).answer is YES


def test_wrong_results_without_a_fault_are_named() -> None:
    result = verdict(cpu("nehalem", mattr=["+lzcnt"]), cpu("nehalem"))
    assert result.answer is NO
    assert "For lzcnt it computes something else, without a fault." in result.reason


def test_reasons_name_the_best_known_feature_first() -> None:
    result = verdict(cpu("skylake-avx512"), cpu("haswell"))
    assert result.reason.startswith("The code uses AVX-512 (avx512f, avx512bw and ")
    assert result.reason.endswith(" more), which haswell does not have.")


def test_shorter_vectors_are_named_with_their_length() -> None:
    (finding,) = [
        each
        for each in verdict(cpu("sifive-x280", "rv64"), cpu("spacemit-x60", "rv64")).findings
        if each.dimension is Dimension.VECTOR_LENGTH
    ]
    assert (
        "vectors of 512 bits or more, and the machine has vectors of 256 bits or more"
        in finding.reason
    )


def test_code_for_one_length_of_vectors_is_unknown_elsewhere() -> None:
    exact = {"cl-opt": ["-aarch64-sve-vector-bits-min:uint=512"]}
    code = cpu("neoverse-v1", "a64", **exact)
    assert verdict(code, cpu("neoverse-v1", "a64")).answer is UNKNOWN
    assert verdict(code, cpu("neoverse-v1", "a64", **exact)).answer is YES


def test_microcontrollers_without_arms_older_encoding_run_thumb_alone() -> None:
    m4 = cpu("cortex-m4", "thumbv7em-none-eabihf")
    assert verdict(m4, cpu("cortex-m7", "thumbv7em-none-eabihf")).answer is YES
    assert verdict(cpu("cortex-m7", "thumbv7em-none-eabihf"), m4).answer is NO
    assert verdict(cpu("cortex-a7", "armv7a-none-eabihf"), m4).answer is NO
    assert verdict(cpu("cortex-r5", "armv7r-none-eabihf"), m4).answer is NO


def composite(**devices: Target) -> Target:
    return {"kind": "composite", "devices": devices}


BIG, LITTLE = cpu("cortex-a76", "a64"), cpu("cortex-a53", "a64")


def test_a_program_may_be_scheduled_on_every_core() -> None:
    assert verdict(cpu("cortex-a53", "a64"), composite(big=BIG, little=LITTLE)).answer is YES
    assert verdict(cpu("cortex-a76", "a64"), composite(big=BIG, little=LITTLE)).answer is NO


def test_code_for_each_core_runs_where_it_fits() -> None:
    both = composite(big=BIG, little=LITTLE)
    assert verdict(both, both).answer is YES
    assert verdict(both, composite(little=LITTLE)).answer is NO


def test_hosts_run_on_hosts() -> None:
    gpu = {"kind": "cuda", "arch": "sm_86", "host": cpu("x86-64-v3")}
    machine = {"kind": "cuda", "arch": "sm_86", "host": cpu("znver3")}
    assert verdict(gpu, machine).answer is YES
    older = {**machine, "host": cpu("ivybridge")}
    assert verdict(gpu, older).answer is NO
    assert verdict(gpu, {"kind": "cuda", "arch": "sm_86"}).answer is UNKNOWN


def test_a_part_for_another_code_generator_is_unknown() -> None:
    code = composite(cpu=BIG, npu={"kind": "byoc", "codegen": "ethos-u", "devices": {}})
    result = verdict(code, code)
    assert result.answer is UNKNOWN
    assert "code generator ethos-u" in result.reason


def test_a_target_without_parts_is_unknown() -> None:
    assert verdict({"kind": "composite"}, BIG).answer is UNKNOWN
    assert verdict(BIG, {"kind": "composite"}).answer is UNKNOWN


def test_a_reusable_patch_is_no_machine() -> None:
    assert verdict(BIG, {"num-cores": 4}).answer is UNKNOWN
    assert verdict({"num-cores": 4}, BIG).answer is UNKNOWN


def test_c_source_is_judged_by_its_processor() -> None:
    code = {"kind": "c", "mcpu": "cortex-m4"}
    assert verdict(code, code).answer is YES
    assert verdict({"kind": "c", "mcpu": "cortex-m7"}, code).answer is NO


def test_findings_point_into_both_targets() -> None:
    code = {"kind": "cuda", "arch": "sm_86", "host": cpu("haswell")}
    machine = {"kind": "cuda", "arch": "sm_86", "host": cpu("", mattr=["+avx"])}
    pointers = {
        each.dimension: (each.built_for, each.machine) for each in verdict(code, machine).findings
    }
    assert pointers[Dimension.LOADER] == ("/host/mtriple", "/host/mtriple")
    assert pointers[Dimension.EMITTED] == ("/host/mcpu", "/host")
    assert pointers[Dimension.DEVICE_CODE] == ("/arch", "/arch")


def test_a_no_has_no_conditions() -> None:
    result = verdict(cpu("sapphirerapids"), cpu("nehalem"))
    assert (result.answer, result.conditions) == (NO, ())


def test_a_floor_is_a_condition_beside_a_yes() -> None:
    code = {"kind": "cuda", "arch": "sm_90"}
    result = verdict(code, code)
    assert (result.answer, result.conditions) == (
        YES,
        (Condition("driver", at_least="520"),),
    )
    assert verdict(code, code, Options(driver="440.10")).answer is NO
    assert verdict(code, code, Options(ships=frozenset({FileForm.PTX}))).answer is YES
