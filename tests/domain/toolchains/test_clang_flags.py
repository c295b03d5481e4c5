# ruff: noqa: E501 - tables read best in rows
from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.errors import Code
from registry.domain.toolchains.clang_flags import CPU_FLAGS, clang_flags
from registry.services.core import shipped_facts
from tests.domain.builders import refusal
from tests.domain.formats.machines import cpu_leaves, if_fit, machine
from tests.domain.strategies import targets
from ttag_rules.triples import Triple


@pytest.mark.parametrize(
    ("triple", "cpu", "flag"),
    [
        ("x86_64-linux-gnu", "haswell", "-march=haswell"),
        ("i686-linux-gnu", "core2", "-march=core2"),
        ("s390x-linux-gnu", "z14", "-march=z14"),
        ("loongarch64-linux-gnu", "la464", "-march=la464"),
        ("aarch64-linux-gnu", "cortex-a72", "-mcpu=cortex-a72"),
        ("arm64-apple-macos", "apple-m1", "-mcpu=apple-m1"),
        ("armv7a-linux-gnueabihf", "cortex-a7", "-mcpu=cortex-a7"),
        ("thumbv7em-none-eabihf", "cortex-m7", "-mcpu=cortex-m7"),
        ("riscv64-unknown-elf", "sifive-u74", "-mcpu=sifive-u74"),
        ("riscv32-unknown-elf", "sifive-e31", "-mcpu=sifive-e31"),
        ("powerpc64le-linux-gnu", "pwr9", "-mcpu=pwr9"),
        ("mips64-linux-gnuabi64", "octeon", "-mcpu=octeon"),
        ("hexagon", "hexagonv68", "-mcpu=hexagonv68"),
        ("wasm32-wasi", "mvp", "-mcpu=mvp"),
        ("aarch64-linux-gnu", "generic", "-mcpu=generic"),
    ],
)
def test_the_cpu_flag_depends_on_the_architecture(triple: str, cpu: str, flag: str) -> None:
    flags = clang_flags(machine({"kind": "llvm", "mtriple": triple, "mcpu": cpu}))
    assert (flags.triple, flags.words) == (triple, (flag,))
    assert flags.written == {"/kind", "/mtriple", "/mcpu"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"kind": "llvm", "mtriple": "armv7a-linux-gnueabihf", "mfloat-abi": "hard"}, ("-mfloat-abi=hard",)),
        ({"kind": "llvm", "mtriple": "arm-none-eabi", "mfloat-abi": "soft", "mabi": "aapcs"}, ("-mabi=aapcs", "-mfloat-abi=softfp")),
        ({"kind": "llvm", "mtriple": "riscv64-unknown-elf", "mabi": "lp64d"}, ("-mabi=lp64d",)),
        ({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mattr": ["+neon", "-sve"]}, ("-Xclang", "-target-feature", "-Xclang", "+neon", "-Xclang", "-target-feature", "-Xclang", "-sve")),
        ({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mattr": []}, ()),
        ({"kind": "llvm", "mcpu": "skylake-avx512", "mattr": ["+avx"]}, ("-march=skylake-avx512", "-Xclang", "-target-feature", "-Xclang", "+avx")),
        ({"kind": "llvm", "mcpu": "neoverse-n1", "mabi": "aapcs"}, ("-mcpu=neoverse-n1", "-mabi=aapcs")),
        ({"kind": "llvm", "mcpu": "cortex-a53"}, ("-mcpu=cortex-a53",)),  # 32 or 64 bits, by one flag
        ({"kind": "c", "mcpu": "sifive-e31", "march": "rv32imac"}, ("-march=rv32imac", "-mcpu=sifive-e31")),
        ({"kind": "c", "march": "rv32imac"}, ("-march=rv32imac",)),
    ],
)  # fmt: skip
def test_all_options_with_flags_are_written(body: dict[str, Any], words: tuple[str, ...]) -> None:
    flags = clang_flags(machine(body))
    assert flags.words == words
    assert flags.written == {f"/{name}" for name in body}
    assert not flags.reasons.keys() & flags.written


@pytest.mark.parametrize(
    ("body", "omitted"),
    [
        ({"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mfloat-abi": "hard"}, {"/mfloat-abi": "only 32-bit Arm has a flag for it"}),
        ({"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mabi": "sysv"}, {"/mabi": "there is no ABI flag for x86_64"}),
        ({"kind": "llvm", "mtriple": "avr-none-elf", "mcpu": "atmega328p"}, {"/mcpu": "no CPU flag is known for avr"}),
        ({"kind": "llvm", "mtriple": "x86_64", "mcpu": "generic"}, {"/mcpu": "clang has no CPU generic for x86_64; its default is used"}),
        ({"kind": "llvm", "mcpu": "cortex-a53", "mfloat-abi": "hard"}, {"/mfloat-abi": "only 32-bit Arm has a flag for it"}),
        ({"kind": "c", "mcpu": "haswell", "march": "x86-64-v3"}, {"/mcpu": "its flag is used for march"}),
        ({"kind": "c", "mcpu": "unheard-of", "march": "x"}, {"/mcpu": "no CPU flag is known for an unknown architecture"}),
    ],
)  # fmt: skip
def test_options_without_a_flag_on_an_architecture_are_omitted(
    body: dict[str, Any], omitted: dict[str, str]
) -> None:
    flags = clang_flags(machine(body))
    assert {place: why for place, why in flags.reasons.items() if place[1:] in body} == omitted
    assert flags.written == {f"/{name}" for name in body} - omitted.keys()


@pytest.mark.parametrize("cpu", ["cortex-m0", "cortex-m4+nofp", "cortex-m7", "cortex-m85"])
def test_cortex_m_implies_its_triple(cpu: str) -> None:
    flags = clang_flags(machine({"kind": "c", "mcpu": cpu}))
    assert (flags.triple, flags.words) == ("arm-none-eabi", (f"-mcpu={cpu}",))


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"kind": "llvm"}, "acme/board@1.0.0 states no CPU; expected an mtriple at the root."),
        ({"kind": "llvm", "mattr": ["+avx"]}, "acme/board@1.0.0 states no CPU; expected an mtriple at the root."),
        ({"kind": "llvm", "mcpu": "sm_80"}, "acme/board@1.0.0 states only the CPU sm_80, of an unknown architecture; expected an mtriple at the root."),
        ({"kind": "c"}, "acme/board@1.0.0 states no CPU; expected an mcpu that LLVM knows at the root."),
        ({"kind": "opencl", "host": {"kind": "llvm", "mcpu": "generic"}}, "acme/board@1.0.0 states only the CPU generic, of an unknown architecture; expected an mtriple at /host."),
        ({"kind": "c", "mcpu": "cortex-m999"}, "acme/board@1.0.0 states only the CPU cortex-m999, of an unknown architecture; expected an mcpu that LLVM knows at the root."),
    ],
)  # fmt: skip
def test_an_unknown_architecture_is_rejected_with_the_missing_option(
    body: dict[str, Any], detail: str
) -> None:
    refused = refusal(lambda: clang_flags(machine(body)))
    assert (refused.code, refused.detail) == (Code.FORMAT_UNFIT, detail)


def test_a_cpu_that_clang_does_not_know_is_refused() -> None:
    body = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a9"}
    refused = refusal(lambda: clang_flags(machine(body)))
    assert "clang 22 has no CPU cortex-a9 for aarch64, so there are no flags" in refused.detail
    assert [fault.pointer for fault in refused.faults] == ["/mcpu"]


def test_flag_architectures_match_triples_and_shipped_cpus() -> None:
    assert all(Triple.parse(name).arch == name for name in CPU_FLAGS)
    assert CPU_FLAGS.keys() <= shipped_facts.cpus().keys()


@given(targets | cpu_leaves)
def test_every_word_is_a_flag_or_a_feature(body: Json) -> None:
    flags = if_fit(clang_flags, machine(body))
    if not flags:
        return
    options = flags.node.value
    assert all(word.startswith(("-", "+")) for word in flags.words)
    assert [word for word in flags.words if word in options.get("mattr", ())] == options.get(
        "mattr", []
    )
    assert flags.written <= {f"{flags.node.pointer}/{name}" for name in options}


@pytest.mark.parametrize(
    ("triple", "words"),
    [
        ("armv7a-linux-eabi", ("-mcpu=cortex-a53", "-mfloat-abi=softfp")),
        ("armv7a-linux-gnueabi", ("-mcpu=cortex-a53", "-mfloat-abi=softfp")),
        ("armv7a-linux-gnueabihf", ("-mcpu=cortex-a53",)),
        ("aarch64-linux-gnu", ("-mcpu=cortex-a53",)),
    ],
)
def test_soft_calls_do_not_forbid_instructions_for_floats(
    triple: str, words: tuple[str, ...]
) -> None:
    body = {"kind": "llvm", "mtriple": triple, "mcpu": "cortex-a53"}
    assert clang_flags(machine(body)).words == words


def test_neon_of_a_generic_arm_core_is_refused() -> None:
    arm = {"kind": "llvm", "mtriple": "armv7a-unknown-linux-gnueabihf", "mattr": ["+neon"]}
    refused = refusal(lambda: clang_flags(machine(arm)))
    assert refused.faults[0].message == "clang switches +neon off again for a generic Arm core"
    assert refused.faults[0].pointer == "/mattr"
    assert "+neon" in clang_flags(machine({**arm, "mcpu": "cortex-a8"})).words
    assert "+vfp3" in clang_flags(machine({**arm, "mattr": ["+vfp3"]})).words
