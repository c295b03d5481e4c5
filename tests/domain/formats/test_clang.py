import shlex
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.errors import Code
from registry.domain.exporting import Export
from registry.domain.formats.clang import FORMAT
from registry.domain.toolchains.clang_flags import clang_flags
from tests.domain.builders import leaves, refusal
from tests.domain.formats.machines import cpu_leaves, if_fit, machine, machines
from tests.domain.strategies import targets

PI: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "aarch64-linux-gnu",
    "mcpu": "cortex-a72",
    "mattr": ["+neon"],
    "num-cores": 4,
}
RISCV: dict[str, Any] = {"kind": "llvm", "mtriple": "riscv64-unknown-linux-gnu"}


def dropped(export: Export) -> list[str]:
    return [loss.pointer for loss in export.dropped]


def test_flags_are_one_line_that_starts_with_the_target() -> None:
    export = FORMAT.write(machine(PI))
    assert export.text == (
        "--target=aarch64-linux-gnu -mcpu=cortex-a72 -Xclang -target-feature -Xclang +neon\n"
    )
    assert dropped(export) == ["/num-cores"]


def test_without_a_triple_clang_uses_its_default() -> None:
    export = FORMAT.write(machine({"kind": "llvm", "mcpu": "skylake-avx512"}))
    assert export.text == "-march=skylake-avx512\n"
    assert not export.dropped


def test_of_a_composite_only_the_host_is_written() -> None:
    board = {"kind": "composite", "devices": {"gpu": "cuda"}, "host": PI, "runtime": "cpp"}
    export = FORMAT.write(machine(board))
    assert export.text == FORMAT.write(machine(PI)).text
    assert set(dropped(export)) == {"/kind", "/devices", "/runtime", "/host/num-cores"}


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("arm/soc@1.0.0", "--target=arm-none-eabi -mcpu=cortex-m7"),
        ("arm/soc:aot@1.0.0", "--target=arm-none-eabi -mcpu=cortex-m7"),
        ("aws/c4.4xlarge@1.0.0", "--target=x86_64-unknown-linux-gnu -march=haswell"),
        ("nvidia/jetson-nano@1.1.0", "--target=aarch64-linux-gnu -mcpu=cortex-a57"),
        (
            "riscv/sifive-e31@1.0.0",
            "--target=riscv32-unknown-linux-gnu -mcpu=sifive-e31 -mabi=ilp32",
        ),
    ],
)
def test_catalogue_tags_have_expected_flags(reference: str, text: str) -> None:
    assert FORMAT.write(machines()[reference]).text == f"{text}\n"


@given(targets | cpu_leaves)
def test_the_line_contains_all_flags_and_the_rest_is_dropped(body: Json) -> None:
    subject = machine(body)
    export = if_fit(FORMAT.write, subject)
    if not export:
        return
    flags = clang_flags(subject)
    target = [f"--target={flags.triple}"] if flags.triple else []
    assert shlex.split(export.text) == [*target, *flags.words]
    lost = {loss.pointer for loss in export.dropped}
    assert len(lost) == len(export.dropped)
    for pointer in leaves(subject.target):
        assert is_inside(pointer, flags.written) != is_inside(pointer, lost), pointer


def is_inside(pointer: str, places: Collection[str]) -> bool:
    return any(f"{pointer}/".startswith(f"{place}/") for place in places)


@pytest.mark.parametrize("profile", ["rva22u64", "rva23u64", "rvb23u64", "rva20s64"])
def test_a_profile_of_riscv_is_an_architecture_for_clang(profile: str) -> None:
    body = RISCV | {"mcpu": "generic-rv64", "mattr": [f"+{profile}", "+zfh"], "mabi": "lp64d"}
    assert FORMAT.write(machine(body)).text == (
        "--target=riscv64-unknown-linux-gnu -mcpu=generic-rv64 -mabi=lp64d "
        f"-march={profile} -Xclang -target-feature -Xclang +zfh\n"
    )


@pytest.mark.parametrize("feature", ["-rva22u64", "+rva22", "+v", "+rva22u64x"])
def test_other_features_stay_features(feature: str) -> None:
    text = FORMAT.write(machine(RISCV | {"mcpu": "generic-rv64", "mattr": [feature]})).text
    assert text.endswith(f" -Xclang -target-feature -Xclang {feature}\n")
    assert "-march" not in text


def test_two_profiles_are_refused_because_clang_would_read_the_last() -> None:
    body = RISCV | {"mcpu": "generic-rv64", "mattr": ["+rva22u64", "+rva23u64"]}
    refused = refusal(lambda: FORMAT.write(machine(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.faults[0].pointer == "/mattr"
    assert refused.faults[0].message == "clang reads one -march, not rva22u64 and rva23u64"


@pytest.mark.parametrize(
    ("mattr", "added"),
    [
        (["+m"], "c, d, f, zaamo"),
        (["+m", "+a", "+f", "+d"], "c"),
        (["-c"], "d, f, m"),
    ],
)
def test_extensions_of_riscv_to_which_clang_adds_its_own_are_refused(
    mattr: list[str], added: str
) -> None:
    refused = refusal(lambda: FORMAT.write(machine(RISCV | {"mattr": mattr})))
    assert refused.code is Code.FORMAT_UNFIT
    (fault,) = refused.faults
    assert fault.pointer == "/mattr"
    words = {*fault.message.replace(",", "").split()}
    assert {*added.split(", ")} <= words
    assert words.isdisjoint(each[1:] for each in mattr)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mattr": ["+m", "+a", "+f", "+d", "+c", "+zicsr", "+zifencei", "+zba"]},
        {"mattr": ["+rva22u64"]},
        {"mattr": ["+m"], "mcpu": "generic-rv64"},
    ],
)
def test_riscv_to_which_clang_adds_nothing_unasked_is_written(options: dict[str, Any]) -> None:
    assert FORMAT.write(machine(RISCV | options)).text


@pytest.mark.parametrize("triple", ["thumbv7a-linux-gnueabihf", "thumb-linux-gnueabi", "thumbv8a"])
def test_thumb_that_clang_would_compile_for_arm_is_refused(triple: str) -> None:
    refused = refusal(lambda: FORMAT.write(machine({"kind": "llvm", "mtriple": triple})))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.faults[0].pointer == "/mtriple"


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "llvm", "mtriple": "thumbv7em-none-eabi"},
        {"kind": "llvm", "mtriple": "thumbv6m-none-eabi"},
        {"kind": "llvm", "mtriple": "thumbv8m.main-none-eabi"},
        {"kind": "llvm", "mtriple": "thumbv8.1m.main-none-eabi"},
        {"kind": "llvm", "mtriple": "thumb-none-eabi", "mcpu": "cortex-m4"},
        {"kind": "llvm", "mtriple": "thumbv7-windows-msvc"},
        {"kind": "llvm", "mtriple": "armv7a-linux-gnueabihf"},
    ],
)
def test_thumb_that_clang_compiles_unasked_is_written(body: dict[str, Any]) -> None:
    assert FORMAT.write(machine(body)).text


def test_a_cpu_that_clang_rejects_is_refused_with_near_names() -> None:
    refused = refusal(lambda: FORMAT.write(machine(RISCV | {"mcpu": "spacemit-x100"})))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.faults[0].message == "clang 22 has no CPU spacemit-x100 for riscv64"
    assert "spacemit-x60" in refused.suggestions


@pytest.mark.parametrize(
    "body",
    [
        RISCV | {"mcpu": "spacemit-x60"},
        {"kind": "c", "mcpu": "cortex-m33+nodsp+nofp"},  # features after the name
        {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "native"},
        {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "generic"},  # no flag
        {"kind": "c", "mcpu": "unheard-of", "march": "v9"},
    ],
)
def test_cpus_that_clang_takes_or_nobody_here_knows_are_written(body: dict[str, Any]) -> None:
    assert FORMAT.write(machine(body)).text
