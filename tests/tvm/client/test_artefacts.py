# ruff: noqa: E501 - tables read best in rows
"""What `ttag.tvm.compile` built is read back, and refused if it is not for its target."""

from typing import Any

import pytest

from tests.tvm.client.targets import BASE
from tests.tvm.compiler import Compiler, TvmError

PI: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "armv7l-unknown-linux-gnueabihf",
    "mcpu": "cortex-a53",
}
HASWELL: dict[str, Any] = {**BASE, "mcpu": "haswell"}
U74: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "riscv64-unknown-linux-gnu",
    "mcpu": "sifive-u74",
    "mabi": "lp64d",
}
NVPTX: dict[str, Any] = {"kind": "nvptx", "mcpu": "sm_80", "host": BASE}
OPENCL: dict[str, Any] = {"kind": "opencl", "host": BASE}
HEXAGON: dict[str, Any] = {"kind": "hexagon", "mtriple": "hexagon", "mcpu": "hexagonv68"}

DIFFERENCES = [
    # built for, compared with, what the error says
    (PI, {**PI, "mtriple": "armv7l-linux-gnueabihf"}, "its triple is armv7l-unknown-linux-gnueabihf"),
    (PI, {**PI, "mtriple": "armv7l-unknown-linux-gnueabi"}, "its float ABI is hard instead of soft"),
    ({**PI, "mfloat-abi": "soft"}, PI, "its float ABI is soft instead of hard"),
    ({**PI, "mtriple": "armv7l-linux-gnueabihf"}, {**PI, "mtriple": "armv7l-linux-gnueabihf"}, "float ABI is soft instead of hard"),
    ({**BASE, "mtriple": "x86_64-win32"}, {**BASE, "mtriple": "x86_64-win32"}, "its object format is ELF instead of COFF"),
    (BASE, {**BASE, "mtriple": "aarch64-unknown-linux-gnu"}, "its architecture is x86_64 instead of aarch64"),
    (U74, {**U74, "mabi": "lp64"}, "its float ABI is double instead of soft"),
    ({**U74, "mabi": "lp64"}, U74, "its float ABI is soft instead of double"),
    (BASE, HASWELL, "its CPU is x86-64 instead of haswell"),
    (BASE, {"kind": "llvm", "mtriple": BASE["mtriple"]}, "its CPU is x86-64 instead of generic"),
    (BASE, {**BASE, "mattr": ["+avx2"]}, r"its features are none instead of \+avx2"),
    ({**BASE, "mattr": ["+avx2"]}, BASE, r"its features are \+avx2 instead of none"),
    (HASWELL, {**HASWELL, "vector-width": 128}, "vectors of 256 bits instead of at most 128"),
]  # fmt: skip
SAME = [
    PI,
    {**PI, "mtriple": "armv7l-unknown-linux-gnueabi"},
    U74,
    BASE,
    {"kind": "llvm", "mtriple": BASE["mtriple"]},
    {"kind": "llvm"},  # TVM takes the triple of this machine, which nothing promises
    {**HASWELL, "mattr": ["+avx2", "-fma"], "vector-width": 256},
    {**BASE, "mtriple": "x86_64-unknown-windows-msvc"},
    {**BASE, "mtriple": "x86_64-unknown-windows-elf"},
    {"kind": "llvm", "mtriple": "arm64-apple-macos", "mcpu": "apple-m1"},
    {"kind": "llvm", "mtriple": "wasm32-unknown-unknown"},
    {"kind": "c", "mcpu": "cortex-m7"},
]


@pytest.mark.parametrize(("built", "target", "sentence"), DIFFERENCES, ids=range(len(DIFFERENCES)))
def test_code_that_differs_from_its_target_is_an_error(
    builder: Compiler, built: dict[str, Any], target: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TvmError, match=rf"^ArtefactDiffers: TVM's machine code .*{sentence}"):
        builder.call("check_kernel", built=built, target=target)


@pytest.mark.parametrize("target", SAME, ids=range(len(SAME)))
def test_code_for_its_target_is_accepted(builder: Compiler, target: dict[str, Any]) -> None:
    builder.call("check_kernel", built=target, target=target)


@pytest.mark.parametrize("target", [NVPTX, OPENCL])
def test_scheduled_function_is_in_the_module_of_its_device(
    builder: Compiler, target: dict[str, Any]
) -> None:
    builder.call("check_kernel", built=target, target=target, threads=64)


@pytest.mark.parametrize("target", [NVPTX, OPENCL])
def test_function_without_threads_is_an_error_with_the_remedy(
    builder: Compiler, target: dict[str, Any]
) -> None:
    kind = target["kind"]
    with pytest.raises(
        TvmError,
        match=f"^Unscheduled: kernel is for {kind}, but binds no loops to its threads, .* apply a "
        "schedule before",
    ):
        builder.call("check_kernel", built=target, target=target)


def test_kernel_for_another_gpu_is_an_error(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"kernel is for sm_90, but its module .* for sm_80"):
        builder.call("check_kernel", built=NVPTX, target={**NVPTX, "mcpu": "sm_90"}, threads=64)


def test_module_for_another_kind_of_device_does_not_count(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"^Unscheduled: kernel is for opencl"):
        builder.call("check_kernel", built=NVPTX, target=OPENCL, threads=64)


@pytest.mark.parametrize("kind", ["trn", "ext_dev"])
def test_accelerator_without_a_module_is_an_error(builder: Compiler, kind: str) -> None:
    target = {"kind": kind, "host": BASE}
    with pytest.raises(
        TvmError, match=f"^ArtefactDiffers: kernel is for {kind}, but the build has"
    ):
        builder.call("check_kernel", built=target, target=target)


@pytest.mark.parametrize("model", ["kernels", "dense"])
def test_hexagon_that_gets_only_code_of_its_host_is_an_error(builder: Compiler, model: str) -> None:
    with pytest.raises(TvmError, match="is for hexagon, but the build has no module of this kind"):
        builder.call("build", model=model, ref="acme/dsp")


def test_unscheduled_function_of_a_gpu_is_not_built_for_its_host(builder: Compiler) -> None:
    with pytest.raises(TvmError, match=r"^Unscheduled: first is for opencl"):
        builder.call("build", model="kernels", ref="acme/adreno")


def test_relax_functions_are_scheduled_by_the_pipeline_and_read_back(builder: Compiler) -> None:
    host, device = builder.call("read_back", model="dense", ref="acme/adreno")
    assert (host["format"], host["architecture"]) == ("ELF", "x86_64")
    assert (device["kind"], device["is_source_only"]) == ("opencl", True)


@pytest.mark.parametrize(
    ("reference", "facts"),
    [
        ("acme/pi", ("ELF", "arm")),
        ("acme/windows", ("COFF", "x86_64")),
        ("acme/arm", ("ELF", "aarch64")),
    ],
)
def test_short_triples_are_built_as_llvm_normalizes_them(
    builder: Compiler, reference: str, facts: tuple[str, str]
) -> None:
    (host,) = builder.call("read_back", model="kernels", ref=reference)
    assert (host["format"], host["architecture"]) == facts
    assert not host["is_source_only"]
