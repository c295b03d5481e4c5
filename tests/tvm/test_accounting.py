"""Options that are said to reach TVM's `Target` do: another value gives another target."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.domain.builders import KINDS
from tests.tvm.compiler import Compiler
from ttag.tvm.accounting.target_options import NOT_READ, READ

# Options of which TVM or LLVM checks the value, by kind or for all.
VALUES: dict[tuple[str, str], tuple[Any, Any]] = {
    ("", "mtriple"): ("x86_64-linux-gnu", "aarch64-linux-gnu"),
    ("", "mcpu"): ("haswell", "skylake"),
    ("", "mattr"): (["+avx2"], ["+avx512f"]),
    ("cuda", "arch"): ("sm_75", "sm_80"),
    ("hexagon", "mcpu"): ("hexagonv68", "hexagonv69"),
    ("hexagon", "mtriple"): ("hexagon", "hexagon-unknown-elf"),
    ("llvm", "cl-opt"): (["-unroll-threshold=1"], ["-unroll-threshold=2"]),
    ("nvptx", "mcpu"): ("sm_75", "sm_80"),
    ("rocm", "mcpu"): ("gfx900", "gfx906"),
    ("hexagon", "llvm-options"): (["--one"], ["--two"]),
    ("llvm", "mabi"): ("lp64", "lp64d"),
}
BASE: dict[str, dict[str, Any]] = {
    "cuda": {"arch": "sm_75"},
    "nvptx": {"mcpu": "sm_75"},
    "rocm": {"mcpu": "gfx900"},
}
# TVM, and so the kind, accepts no other value.
ONE_VALUE = {("nvptx", "mtriple"), ("rocm", "mtriple"), ("webgpu", "thread_warp_size")}


def read_options() -> Iterator[tuple[str, str]]:
    options = {(kind, option) for kind, options in READ.items() for option in options}
    yield from sorted(options - ONE_VALUE)


def two_values(kind: str, option: str) -> tuple[Any, Any]:
    """Return two different values of an option."""
    if chosen := VALUES.get((kind, option)) or VALUES.get(("", option)):
        return chosen
    schema = KINDS[kind].schema["properties"][option]
    if enum := schema.get("enum"):
        return enum[0], enum[1]
    return (False, True) if schema.get("type") == "boolean" else (1, 2)


def with_option(kind: str, option: str, value: Any) -> dict[str, Any]:
    return {"kind": kind, **BASE.get(kind, {}), option: value}


@pytest.mark.parametrize(("kind", "option"), list(read_options()))
def test_another_value_of_an_option_gives_another_target(
    tvm: Compiler, kind: str, option: str
) -> None:
    one, other = (
        tvm.export(with_option(kind, option, value)) for value in two_values(kind, option)
    )
    assert one.get(option) != other.get(option)


@pytest.mark.parametrize("option", sorted(NOT_READ["c"]))
def test_option_of_c_that_nothing_reads_changes_no_code(tvm: Compiler, option: str) -> None:
    values = ("one", "two") if option == "march" else (8, 1024)
    codes = [tvm.call("generate", target={"kind": "c", option: value})["code"] for value in values]
    one, other = (code.partition("\n")[2] for code in codes)  # the first line is the target
    assert one == other
