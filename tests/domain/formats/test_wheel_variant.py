from typing import Any

import pytest

from registry.domain.errors import Code
from registry.domain.formats.wheel_variant import FORMAT
from tests.domain.builders import refusal
from tests.domain.formats.machines import machine


def cpu(mcpu: str, *mattr: str, arch: str = "x86_64") -> dict[str, Any]:
    return {"kind": "llvm", "mtriple": f"{arch}-linux-gnu", "mcpu": mcpu, "mattr": [*mattr]}


def properties(body: dict[str, Any]) -> list[str]:
    content = FORMAT.write(machine(body)).content
    assert isinstance(content, dict)
    values = content["properties"]
    assert isinstance(values, list)
    return [str(value) for value in values]


def values(body: dict[str, Any], feature: str) -> list[str]:
    split = [each.split(" :: ") for each in properties(body)]
    return [value for _, name, value in split if name == feature]


@pytest.mark.parametrize(
    ("body", "feature", "levels"),
    [
        (cpu("x86-64"), "level", "v1"),
        (cpu("core2"), "level", "v1"),
        (cpu("nehalem"), "level", "v2 v1"),
        (cpu("haswell"), "level", "v3 v2 v1"),
        (cpu("haswell", "-bmi2"), "level", "v2 v1"),
        (cpu("sandybridge"), "level", "v2 v1"),
        (cpu("znver4"), "level", "v4 v3 v2 v1"),
        (cpu("znver4", "-avx512bw"), "level", "v3 v2 v1"),
        (cpu("alderlake"), "level", "v3 v2 v1"),
        (cpu("cortex-a72", arch="aarch64"), "version", "8a"),
        (cpu("neoverse-n1", arch="aarch64"), "version", "8.2a 8.1a 8a"),
        (cpu("neoverse-v1", arch="aarch64"), "version", "8.4a 8.3a 8.2a 8.1a 8a"),
        (cpu("neoverse-v3ae", arch="aarch64"), "version", "9.0a 8.6a 8.5a 8.4a 8.3a 8.2a 8.1a 8a"),
    ],
)
def test_all_levels_that_run_are_listed_the_largest_first(
    body: dict[str, Any], feature: str, levels: str
) -> None:
    assert values(body, feature) == levels.split()


@pytest.mark.parametrize(
    ("body", "present", "absent"),
    [
        (cpu("haswell"), "avx2 fma bmi1 sse3", "aes avx512f adx"),
        (cpu("haswell", "+aes", "-fma"), "aes avx2", "fma"),
        (cpu("znver4", "-avx512f"), "avx2 vaes sha_ni", "avx512f avx512vl avx512_bf16"),
        (cpu("sapphirerapids"), "avx_vnni avx512_bf16", "avx512_vp2intersect sse4a"),
        (cpu("cortex-a53", "-aes", arch="aarch64"), "asimd crc32", "aes pmull sve"),
        (cpu("neoverse-n2", arch="aarch64"), "sve2 bf16", "sha3 aes"),
    ],
)
def test_features_are_those_of_the_processor(
    body: dict[str, Any], present: str, absent: str
) -> None:
    for name in present.split():
        assert values(body, name) == ["on"], name
    for name in absent.split():
        assert values(body, name) == [], name


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"kind": "cuda", "arch": "sm_90"}, "it states no processor"),
        ({"kind": "llvm"}, "no provider describes an unknown architecture"),
        (cpu("z14", arch="s390x"), "no provider describes s390x"),
        (cpu("pwr9", arch="powerpc64le"), "no provider describes powerpc64le"),
        (cpu("znver9"), "the features of znver9 are not known"),
        (cpu("x86-64", "-sse2"), "it lacks a part of the baseline of its architecture"),
    ],
)
def test_what_no_provider_describes_is_refused(body: dict[str, Any], reason: str) -> None:
    refused = refusal(lambda: FORMAT.write(machine(body)))
    assert refused.code is Code.FORMAT_UNFIT
    assert refused.detail == f"acme/board@1.0.0 has no text in this format: {reason}."


def test_what_no_property_says_is_dropped_with_the_features() -> None:
    reasons = {loss.pointer: loss.reason for loss in FORMAT.write(machine(cpu("znver3"))).dropped}
    assert reasons["/mtriple"] == "the platform tag of a wheel says it"
    assert reasons["/mcpu"] == "no property says crc32, mwaitx, rdpru and 1 more"
    whole = FORMAT.write(machine(cpu("cortex-a72", arch="aarch64"))).dropped
    assert [loss.pointer for loss in whole] == ["/mtriple"]
    gpu = {"kind": "cuda", "arch": "sm_90", "host": cpu("cortex-a72", arch="aarch64")}
    assert {loss.pointer for loss in FORMAT.write(machine(gpu)).dropped} == {
        "/kind",
        "/arch",
        "/host/mtriple",
    }
