# ruff: noqa: E501 - tables read best in rows
from typing import Any

import pytest

from registry.domain.errors import Code
from registry.domain.formats.archspec import FORMAT
from tests.domain.builders import refusal
from tests.domain.formats.machines import machine
from ttag_rules.notations.archspec import entry_name


def cpu(mcpu: str = "", *mattr: str, arch: str = "x86_64", **options: Any) -> dict[str, Any]:
    named = {"mcpu": mcpu} if mcpu else {}
    features = {"mattr": [*mattr]} if mattr else {}
    return {"kind": "llvm", "mtriple": f"{arch}-linux-gnu", **named, **features, **options}


def entry(body: dict[str, Any]) -> dict[str, Any]:
    content = FORMAT.write(machine(body)).content
    assert isinstance(content, dict)
    (value,) = content["microarchitectures"].values()  # type: ignore[union-attr]
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize(
    ("body", "vendor", "parents"),
    [
        (cpu("haswell"), "GenuineIntel", ["haswell"]),
        (cpu("haswell", "-avx2"), "GenuineIntel", ["ivybridge"]),
        (cpu("haswell", "+avx512f"), "GenuineIntel", ["haswell"]),
        (cpu("tigerlake"), "GenuineIntel", ["cascadelake", "icelake"]),
        (cpu("znver4", "-avx512bf16"), "AuthenticAMD", ["x86_64_v4", "zen3"]),
        (cpu("x86-64-v3"), "generic", ["x86_64_v3"]),
        (cpu(), "generic", ["x86_64"]),
        (cpu("neoverse-n3", arch="aarch64"), "ARM", ["armv9.2a", "neoverse_v2"]),
        (cpu("generic", "+v8.2a", arch="aarch64"), "generic", ["armv8.2a"]),
        (cpu(arch="aarch64"), "generic", ["aarch64"]),
        (cpu("pwr9", arch="powerpc64le"), "IBM", ["power9le"]),
        (cpu("spacemit-x60", arch="riscv64", mabi="lp64d"), "SpacemiT", ["x60"]),
        ({"kind": "cuda", "host": cpu("znver3")}, "AuthenticAMD", ["zen3"]),
    ],
)
def test_parents_are_the_largest_that_run_there(
    body: dict[str, Any], vendor: str, parents: list[str]
) -> None:
    value = entry(body)
    assert (value["vendor"], value["from"]) == (vendor, parents)


@pytest.mark.parametrize(
    ("body", "present", "absent"),
    [
        (cpu("haswell"), "avx2 bmi1 abm pclmulqdq sse4_2", "aes avx512f sse3 pni"),
        (cpu("haswell", "+aes", "-avx2"), "aes avx", "avx2"),
        (cpu("cascadelake"), "avx512_vnni avx512vl adx", "avx512_bf16 clflushopt clwb"),
        (cpu("neoverse-v1", arch="aarch64"), "sve asimddp atomics crc32 i8mm", "sve2 evtstrm"),
        (cpu("cortex-a53", "-aes", "-sha2", arch="aarch64"), "asimd fp crc32", "aes pmull sha1"),
        (cpu("pwr9", arch="powerpc64le"), "", "vsx altivec"),
    ],
)
def test_features_are_those_that_linux_shows(
    body: dict[str, Any], present: str, absent: str
) -> None:
    features = {*entry(body)["features"]}
    assert {*present.split()} <= features
    assert not {*absent.split()} & features


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"kind": "cuda"}, "it states no processor"),
        ({"kind": "c", "mcpu": "cortex-m4"}, "archspec has no microarchitectures of arm"),
        (cpu(arch="i686"), "archspec has no microarchitectures of i386"),
        (cpu(arch="aarch64_be"), "archspec has no microarchitectures of aarch64_be"),
        (cpu(arch="powerpc64"), "archspec has no microarchitectures of powerpc64"),
        (cpu("z14", arch="s390x"), "archspec has no microarchitectures of s390x"),
        ({"kind": "llvm"}, "archspec has no microarchitectures of a processor of an unknown architecture"),
        (cpu("znver9"), "the features of znver9 are not known"),
        (cpu("native"), "the features of native are not known"),
        (cpu("x86-64", "-sse2"), "no microarchitecture of archspec runs on it"),
        ({"kind": "composite", "devices": [cpu("haswell")]}, "it states no processor"),
    ],
)  # fmt: skip
def test_what_archspec_has_no_words_for_is_refused(body: dict[str, Any], reason: str) -> None:
    refused = refusal(lambda: FORMAT.write(machine(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.detail == f"acme/board@1.0.0 has no text in this format: {reason}."


def test_the_rest_of_a_target_is_dropped() -> None:
    body = {"kind": "cuda", "arch": "sm_90", "host": cpu("haswell") | {"num-cores": 4}}
    dropped = {loss.pointer for loss in FORMAT.write(machine(body)).dropped}
    assert dropped == {"/kind", "/arch", "/host/mtriple", "/host/num-cores"}


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("aws/c4.4xlarge@1.0.0", "aws_c4.4xlarge"),
        ("nvidia/jetson-nano:cuda@1.2.0", "nvidia_jetson_nano_cuda"),
        ("acme/two@1.0.0#/devices/a/host", "acme_two_devices_a_host"),
        ("neoverse/v1@1.0.0", "tag_neoverse_v1"),  # archspec has one of this name
    ],
)
def test_names_are_those_of_tags_and_none_of_archspecs_own(reference: str, name: str) -> None:
    assert entry_name(reference) == name
