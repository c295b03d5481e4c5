"""What a loader compares beside the architecture and the C library, and what it must not refuse."""

from typing import Any

import pytest

from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension

YES, UNKNOWN, NO = Answer.YES, Answer.UNKNOWN, Answer.NO
X86, ARM = "x86_64-unknown-linux-gnu", "armv7-unknown-linux-gnueabihf"
A64, RV64 = "aarch64-unknown-linux-gnu", "riscv64-unknown-linux-gnu"
LOONG, PPC = "loongarch64-unknown-linux-gnu", "powerpc64le-unknown-linux-gnu"

Leaf = dict[str, Any]


def leaf(triple: str, mcpu: str = "", **options: Any) -> Leaf:
    stated = {"mtriple": triple, "mcpu": mcpu, **options}
    return {"kind": "llvm", **{name: value for name, value in stated.items() if value}}


SYSTEMS = [
    # code, machine, answer
    ("arm64-apple-ios-simulator", "arm64-apple-ios", NO),
    ("arm64-apple-ios", "arm64-apple-ios-simulator", NO),
    ("arm64-apple-ios-simulator", "arm64-apple-ios-simulator", YES),
    ("arm64-apple-ios14.0-macabi", "arm64-apple-macos", YES),
    ("arm64-apple-ios14.0-macabi", "arm64-apple-ios", NO),
    ("arm64-apple-macosx", "arm64-apple-darwin", YES),
    ("x86_64-pc-windows-msvc-elf", "x86_64-pc-windows-msvc", NO),
    ("x86_64-pc-windows-msvc-coff", "x86_64-pc-windows-msvc", YES),
    ("arm64ec-pc-windows-msvc", "aarch64-pc-windows-msvc", NO),
    ("arm64_32-apple-watchos", "arm64-apple-watchos", NO),
    ("armv7-unknown-unknown-eabihf", ARM, UNKNOWN),  # of an object, which names no system
    ("armv7-none-eabihf", ARM, NO),
    ("armv7-unknown-none-eabihf", ARM, NO),
    ("arm-none-unknown-eabihf", ARM, NO),  # as clang 22 writes arm-none-eabihf
    ("riscv64be-unknown-linux-gnu", RV64, NO),
    ("powerpc64-unknown-linux-gnu", PPC, NO),
]


@pytest.mark.parametrize(("code", "machine", "answer"), SYSTEMS)
def test_variants_of_systems_and_formats_of_files_count(
    code: str, machine: str, answer: Answer
) -> None:
    findings = verdict(leaf(code), leaf(machine)).findings
    (loader,) = (each for each in findings if each.dimension is Dimension.LOADER)
    assert loader.answer is answer, loader.reason


VERSIONS = [
    ("arm64-apple-macosx14.0", "arm64-apple-macos13.6", NO),
    ("arm64-apple-macosx14.0", "arm64-apple-macos14", YES),
    ("arm64-apple-darwin23.0.0", "arm64-apple-macos13.0", NO),
    ("arm64-apple-darwin23.0.0", "arm64-apple-macosx14.0", YES),
    ("x86_64-apple-darwin19.6.0", "x86_64-apple-macosx10.15", YES),
    ("arm64-apple-darwin25.0.0", "arm64-apple-macosx26.0", YES),
    ("arm64-apple-darwin25.0.0", "arm64-apple-macosx16.0", NO),
    ("aarch64-linux-android30", "aarch64-linux-android29", NO),
    ("aarch64-linux-android30", "aarch64-linux-android33", YES),
    ("x86_64-linux-gnu.2.28", "x86_64-linux-gnu2.17", NO),
    ("x86_64-linux-gnu.2.17", "x86_64-linux-gnu2.28", YES),
    ("x86_64-unknown-freebsd14.0", "x86_64-unknown-freebsd13.2", NO),
    ("x86_64-unknown-freebsd13.2", "x86_64-unknown-freebsd14.0", YES),
]


@pytest.mark.parametrize(("code", "machine", "answer"), VERSIONS)
def test_versions_of_systems_and_libraries_are_floors(
    code: str, machine: str, answer: Answer
) -> None:
    findings = verdict(leaf(code), leaf(machine)).findings
    (floor,) = (each for each in findings if each.dimension is Dimension.FLOOR)
    assert (floor.answer, floor.conditions) == (answer, ())


def test_a_floor_that_no_machine_states_is_a_condition() -> None:
    result = verdict(leaf("x86_64-linux-gnu.2.28"), leaf(X86))
    assert (result.answer, result.conditions) == (YES, (Condition("system", "glibc", "2.28"),))


CONVENTIONS = [
    (leaf(A64, "cortex-a76", mabi="aapcs"), leaf(A64, "cortex-a76"), YES),
    (leaf(ARM, "cortex-a7", mabi="aapcs-linux"), leaf(ARM, "cortex-a7"), YES),
    (leaf(LOONG, "la464", mabi="lp64d"), leaf(LOONG, "la464"), YES),
    (leaf(LOONG, "la464", mabi="lp64s"), leaf(LOONG, "la464"), NO),
    (leaf(PPC, "pwr9", mabi="elfv2"), leaf(PPC, "pwr9"), YES),
    (leaf(PPC, "pwr9", mabi="elfv1"), leaf(PPC, "pwr9"), NO),
    (leaf(X86, "haswell", mattr=["+soft-float"]), leaf(X86, "haswell"), NO),
    # A machine that states no processor may have what chooses another convention.
    (leaf(RV64, "sifive-u74", mabi="lp64d"), leaf(RV64), UNKNOWN),
    (leaf(RV64, "generic-rv64", mabi="lp64d"), leaf(RV64, "generic-rv64"), UNKNOWN),
    (leaf(RV64, "sifive-u74", mabi="lp64"), leaf(RV64, "generic-rv64", mabi="lp64d"), NO),
    (leaf(RV64, "generic-rv64", mabi="lp64d"), leaf(RV64, "sifive-u74"), YES),
]


@pytest.mark.parametrize(("code", "machine", "answer"), CONVENTIONS)
def test_conventions_that_are_the_usual_ones_need_not_be_stated(
    code: Leaf, machine: Leaf, answer: Answer
) -> None:
    result = verdict(code, machine)
    assert result.answer is answer, result.reason


def test_a_no_outweighs_what_is_not_stated() -> None:
    result = verdict(leaf("armv7a-linux-eabi", "cortex-a9"), leaf(ARM, "cortex-a9"))
    assert result.answer is NO
    assert "calling convention" in result.reason


def test_the_triple_of_the_compiling_machine_is_unknown() -> None:
    default = leaf("default", "haswell")
    assert verdict(default, default).answer is UNKNOWN


SOURCES: list[tuple[Leaf, Leaf, Answer]] = [
    ({"mcpu": "cortex-m4+nofp"}, {"mcpu": "cortex-m4"}, YES),
    ({"mcpu": "cortex-m4"}, {"mcpu": "cortex-m4+nofp"}, NO),
    ({"mcpu": "cortex-m7"}, {"mcpu": "cortex-m7+nofp.dp"}, NO),
    ({"mcpu": "cortex-m33+nodsp"}, {"mcpu": "cortex-m33+nodsp+nofp"}, NO),
    ({"mcpu": "cortex-m33+nodsp+nofp"}, {"mcpu": "cortex-m33+nodsp"}, YES),
    ({"mcpu": "cortex-m55+nomve"}, {"mcpu": "cortex-m55"}, YES),
    ({"mcpu": "cortex-m55"}, {"mcpu": "cortex-m55+nomve"}, NO),
    ({"mcpu": "cortex-m4"}, {"mcpu": "haswell"}, NO),
    ({}, {}, YES),
    ({}, {"mcpu": "cortex-m4"}, UNKNOWN),
    ({"mcpu": "cortex-m4"}, {}, UNKNOWN),
]


@pytest.mark.parametrize(("code", "machine", "answer"), SOURCES)
def test_c_source_names_its_architecture_by_the_processor(
    code: Leaf, machine: Leaf, answer: Answer
) -> None:
    result = verdict({"kind": "c", **code}, {"kind": "c", **machine})
    assert result.answer is answer, result.reason
