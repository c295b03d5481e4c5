import shlex
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.exporting import Export
from registry.domain.formats.clang import FORMAT
from registry.domain.toolchains.clang_flags import clang_flags
from tests.domain.builders import leaves
from tests.domain.formats.machines import cpu_leaves, if_fit, machine, machines
from tests.domain.strategies import targets

PI: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "aarch64-linux-gnu",
    "mcpu": "cortex-a72",
    "mattr": ["+neon"],
    "num-cores": 4,
}


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
