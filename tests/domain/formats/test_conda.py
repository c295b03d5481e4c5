# ruff: noqa: E501 - tables read best in rows
from typing import Any

import pytest

from registry.domain.errors import Code
from registry.domain.formats.conda import FORMAT
from tests.domain.builders import refusal
from tests.domain.formats.machines import machine

LINUX = "x86_64-unknown-linux-gnu"


def cpu(mcpu: str = "haswell", *mattr: str, triple: str = LINUX) -> dict[str, Any]:
    return {
        "kind": "llvm",
        "mtriple": triple,
        "mcpu": mcpu,
        **({"mattr": [*mattr]} if mattr else {}),
    }


def with_gpus(*arches: str) -> dict[str, Any]:
    gpus = [{"kind": "cuda", "arch": arch} for arch in arches]
    return {"kind": "composite", "devices": gpus, "host": cpu()}


def variables(body: dict[str, Any]) -> dict[str, str]:
    lines = FORMAT.write(machine(body)).text.splitlines()
    return dict(line.removeprefix("CONDA_").split("=", 1) for line in lines)


@pytest.mark.parametrize(
    ("triple", "mcpu", "platform"),
    [
        (LINUX, "haswell", "linux-64"),
        ("x86_64-linux-musl", "haswell", "linux-64"),
        ("i686-linux-gnu", "pentium4", "linux-32"),
        ("aarch64-linux-gnu", "neoverse-n1", "linux-aarch64"),
        ("powerpc64le-linux-gnu", "pwr9", "linux-ppc64le"),
        ("s390x-linux-gnu", "z14", "linux-s390x"),
        ("riscv64-unknown-linux-gnu", "spacemit-x60", "linux-riscv64"),
        ("arm64-apple-macosx14.0", "apple-m1", "osx-arm64"),
        ("x86_64-apple-darwin20", "haswell", "osx-64"),
        ("x86_64-pc-windows-msvc", "znver3", "win-64"),
        ("aarch64-pc-windows-msvc", "oryon-1", "win-arm64"),
    ],
)
def test_platform_is_that_of_the_triple(triple: str, mcpu: str, platform: str) -> None:
    assert variables(cpu(mcpu, triple=triple))["SUBDIR"] == platform


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"kind": "cuda", "arch": "sm_90"}, "it states no processor"),
        ({"kind": "llvm", "mcpu": "haswell"}, "it states no operating system"),
        (cpu("cortex-m4", triple="thumbv7em-none-eabi"), "conda has no platform for thumbv7em-none-eabi"),
        (cpu("cortex-a7", triple="armv7l-linux-gnueabihf"), "conda has no platform for armv7l-linux-gnueabihf"),
        (cpu("cortex-a72", triple="aarch64-linux-android21"), "conda has no platform for aarch64-linux-android21"),
        (cpu("apple-m1", triple="arm64-apple-ios17.0"), "conda has no platform for arm64-apple-ios17.0"),
        (cpu("pwr9", triple="powerpc64-linux-gnu"), "conda has no platform for powerpc64-linux-gnu"),
        (cpu(triple="x86_64-unknown-freebsd14"), "conda has no platform for x86_64-unknown-freebsd14"),
    ],
)  # fmt: skip
def test_without_a_platform_of_conda_it_is_refused(body: dict[str, Any], reason: str) -> None:
    refused = refusal(lambda: FORMAT.write(machine(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.detail == f"acme/board@1.0.0 has no text in this format: {reason}."


@pytest.mark.parametrize(
    ("body", "name", "dropped"),
    [
        (cpu(), "haswell", set()),
        (cpu("haswell", "+aes"), "haswell", {"/mattr"}),
        (cpu("haswell", "-avx2"), "ivybridge", {"/mcpu", "/mattr"}),
        (cpu("tigerlake"), "icelake", {"/mcpu"}),
        (cpu("alderlake"), "skylake", {"/mcpu"}),  # rattler knows no alderlake
        (cpu("neoverse-v3ae", triple="aarch64-linux-gnu"), "neoverse_v2", {"/mcpu"}),
        (cpu("znver3", "-avx2"), "x86_64_v2", {"/mcpu", "/mattr"}),
        (cpu("x86-64-v3"), "x86_64_v3", set()),
        (cpu("znver9"), "x86_64", {"/mcpu"}),
        (cpu("neoverse-v1", triple="aarch64-linux-gnu"), "neoverse_v1", set()),
        (cpu("cortex-a53", "-aes", "-sha2", triple="aarch64-linux-gnu"), "aarch64", {"/mcpu", "/mattr"}),
        (cpu("z14", triple="s390x-linux-gnu"), None, {"/mcpu"}),
    ],
)  # fmt: skip
def test_processor_is_the_largest_that_archspec_knows(
    body: dict[str, Any], name: str | None, dropped: set[str]
) -> None:
    assert variables(body).get("OVERRIDE_ARCHSPEC") == name
    assert {loss.pointer for loss in FORMAT.write(machine(body)).dropped} == dropped


@pytest.mark.parametrize(
    ("arches", "cuda", "capability", "dropped"),
    [
        ((), "", None, set()),
        (("sm_80",), "11.0", "8.0", set()),
        (("sm_90a",), "11.8", "9.0", set()),
        (("sm_120",), "12.8", "12.0", set()),
        (("sm_80", "sm_80"), "11.0", "8.0", set()),
        (("sm_90", "sm_86"), "11.8", "8.6", {"/devices/0/arch"}),
        (("sm_35",), "", None, {"/devices"}),
        (("sm_35", "sm_75"), "10.0", "7.5", {"/devices/0"}),
    ],
)
def test_cuda_is_what_every_driver_of_the_gpus_supports(
    arches: tuple[str, ...], cuda: str, capability: str | None, dropped: set[str]
) -> None:
    body = with_gpus(*arches) if arches else cpu()
    values = variables(body)
    assert values["OVERRIDE_CUDA"] == cuda
    assert values.get("OVERRIDE_CUDA_ARCH") == capability
    losses = {loss.pointer for loss in FORMAT.write(machine(body)).dropped}
    assert losses - {"/kind"} == dropped


@pytest.mark.parametrize(
    ("triple", "glibc", "osx"),
    [
        (LINUX, None, None),
        ("x86_64-unknown-linux-gnu2.28", "2.28", None),
        ("x86_64-linux-musl", "", None),
        ("arm64-apple-macosx14.0", None, "14.0"),
        ("arm64-apple-macosx", None, None),
        ("x86_64-pc-windows-gnu", None, None),
    ],
)
def test_versions_are_those_of_the_triple(triple: str, glibc: str | None, osx: str | None) -> None:
    values = variables(cpu("apple-m1" if "apple" in triple else "haswell", triple=triple))
    assert values.get("OVERRIDE_GLIBC") == glibc
    assert values.get("OVERRIDE_OSX") == osx
