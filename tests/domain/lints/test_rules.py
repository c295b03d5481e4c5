# ruff: noqa: E501 - tables read best in rows
"""Every lint, with the targets that draw it and those that do not."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.checks.checks import check_target
from registry.domain.document import Json
from registry.domain.errors import Fault
from registry.domain.keys.tuning import tuning_keys
from registry.domain.lints.rules import lint_target
from registry.services.core import shipped_facts
from tests.domain.builders import KINDS, target_of
from tests.domain.strategies import targets
from ttag_rules.triple_normalization import normalize

FACTS = shipped_facts.lint_facts()
LINUX = "x86_64-unknown-linux-gnu"
SKYLAKE: dict[str, Any] = {"kind": "llvm", "mtriple": LINUX, "mcpu": "skylake", "num-cores": 4}
CORTEX_A72: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "aarch64-unknown-linux-gnu",
    "mcpu": "cortex-a72",
    "num-cores": 4,
}
U74: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "riscv64-unknown-linux-gnu",
    "mcpu": "sifive-u74",
    "num-cores": 4,
}
A100: dict[str, Any] = {"kind": "cuda", "arch": "sm_80"}


def found(body: Any, *, is_family: bool = False) -> list[Fault]:
    return list(lint_target(target_of(body), KINDS, FACTS, is_family=is_family))


def codes(body: Json) -> dict[str, str]:
    lints = found(body)
    by_pointer = {lint.pointer: lint.code for lint in lints}
    assert len(by_pointer) == len(lints), "two lints at one place: look at them one by one"
    return by_pointer


CLEAN: list[Json] = [
    SKYLAKE,
    CORTEX_A72 | {"mattr": ["+neon", "-crc"], "keys": ["arm_cpu", "cpu"], "mabi": "aapcs"},
    U74 | {"mabi": "lp64d", "mfloat-abi": "hard", "keys": ["riscv_cpu", "cpu"]},
    A100 | {"thread_warp_size": 32, "keys": ["cuda", "gpu"], "libs": ["cudnn", "cublas"]},
    {"kind": "c", "mcpu": "cortex-m7", "keys": ["arm_cpu", "cpu"]},
    {"kind": "c", "mcpu": "a-name-of-gcc"},
    {"kind": "hexagon", "mtriple": "hexagon", "mcpu": "hexagonv68", "mattr": ["+hvxv68"], "libs": ["qhl"]},
    {"kind": "rocm", "mcpu": "gfx90a", "mattr": ["+xnack"], "thread_warp_size": 64, "libs": ["rocblas"]},
    {"kind": "rocm", "mcpu": "gfx1100", "thread_warp_size": 32},
    {"kind": "rocm", "mcpu": "gfx1100", "thread_warp_size": 64},
    {"kind": "nvptx", "mcpu": "sm_80", "thread_warp_size": 32},
    {"kind": "opencl", "keys": ["adreno", "opencl", "gpu", "ours"], "thread_warp_size": 7},
    {"kind": "metal", "thread_warp_size": 16},
    {"kind": "composite", "devices": [A100], "host": SKYLAKE, "libs": ["cudnn"], "executor": "vm", "runtime": "cuda-graph"},
    {"kind": "composite", "devices": [{"kind": "c"}], "executor": {"kind": "aot"}, "runtime": "cpp"},
    {"kind": "c", "executor": "vm"},
    {"kind": "byoc", "codegen": "tensorrt", "devices": [A100], "libs": ["anything"]},
    {"kind": "byoc", "codegen": "ethos-u", "devices": ["ext_dev"]},
    {"kind": "ext_dev", "host": "c"},
    {"kind": "hexagon", "mtriple": "hexagon", "host": {"kind": "hexagon", "mtriple": "hexagon"}},
    {"kind": "cuda", "arch": "sm_80", "host": "cuda_host"},
    {"kind": "c", "flow": {"tir.disable_vectorize": True}},
    {"kind": "c", "host": "c"},
    {"kind": "c", "flow": {"tir.disable_vectorize": True}, "host": {"kind": "c", "flow": {"tirx.disable_vectorize": True}}},
    {"kind": "c", "host": {"kind": "c", "flow": {}}},
    {"kind": "composite", "executor": "vm", "devices": {"a": {"kind": "composite", "executor": {"kind": "vm"}, "devices": ["c"]}}},
    {"kind": "composite", "devices": {"a": {"kind": "c", "executor": "vm"}, "b": {"kind": "c", "executor": "aot"}}},
    {"kind": "c", "flow": {"link-params": True, "tir.disable_vectorize": True, "enable-byoc": ["cmsis-nn"]}},
    {"kind": "c", "hardware": {}},
    {"kind": "c", "hardware": {"vendor": "a", "model": "b", "family": "c"}},
    {"kind": "c", "hardware": {"cores": 1, "sources": {"counts": ["https://x.org"]}}},
    {"kind": "c", "hardware": {"cores": 1, "power_watts": 5, "sources": {"all": ["https://x.org"]}}},
]  # fmt: skip


@pytest.mark.parametrize("body", CLEAN, ids=range(len(CLEAN)))
def test_ordinary_targets_have_no_lint(body: Json) -> None:
    assert codes(body) == {}


CASES: list[tuple[Json, dict[str, str]]] = [
    (SKYLAKE | {"mcpu": "skylak"}, {"/mcpu": "MCPU_UNKNOWN"}),
    (SKYLAKE | {"mcpu": "cortex-a72"}, {"/mcpu": "MCPU_UNKNOWN"}),
    ({"kind": "cuda", "arch": "sm_999"}, {"/arch": "ARCH_UNKNOWN"}),
    ({"kind": "nvptx", "mcpu": "sm_999"}, {"/mcpu": "MCPU_UNKNOWN"}),
    ({"kind": "rocm", "mcpu": "gfx999"}, {"/mcpu": "MCPU_UNKNOWN"}),
    ({"kind": "hexagon", "mtriple": "hexagon", "mcpu": "hexagonv999"}, {"/mcpu": "MCPU_UNKNOWN"}),
    (SKYLAKE | {"mattr": ["+nosuchfeature"]}, {"/mattr/0": "MATTR_UNKNOWN"}),
    (SKYLAKE | {"mattr": ["+avx2", "-neon"]}, {"/mattr/1": "MATTR_FOREIGN"}),
    ({"kind": "hexagon", "mtriple": "hexagon", "mattr": ["+avx2"]}, {"/mattr/0": "MATTR_FOREIGN"}),
    ({"kind": "rocm", "mcpu": "gfx90a", "mattr": ["+sse"]}, {"/mattr/0": "MATTR_FOREIGN"}),
    ({"kind": "llvm", "mtriple": LINUX, "num-cores": 4}, {"": "MCPU_MISSING"}),
    ({"kind": "llvm", "mtriple": LINUX, "mcpu": "skylake"}, {"": "NUM_CORES_MISSING"}),
    (A100 | {"host": {"kind": "llvm", "mtriple": LINUX, "mcpu": "skylake"}}, {"/host": "NUM_CORES_MISSING"}),
    (SKYLAKE | {"mtriple": "x86_65-pc-linux-gnu"}, {"/mtriple": "TRIPLE_UNKNOWN"}),
    (SKYLAKE | {"mtriple": "x86_64-linus"}, {"/mtriple": "TRIPLE_UNKNOWN"}),
    (SKYLAKE | {"mtriple": "x86_64-pc-linus-gnu"}, {"/mtriple": "TRIPLE_UNKNOWN"}),
    (SKYLAKE | {"mtriple": "x86_64-pc-linux-gnx"}, {"/mtriple": "TRIPLE_UNKNOWN"}),
    (SKYLAKE | {"mtriple": "x86_64-nvidai-linux-gnu"}, {"/mtriple": "TRIPLE_UNKNOWN"}),
    (CORTEX_A72 | {"mtriple": "arm64-unknown-linux-gnu"}, {"/mtriple": "TRIPLE_SPELLING"}),
    (SKYLAKE | {"mtriple": "x86_64-linux-gnu"}, {"/mtriple": "TRIPLE_MISREAD"}),
    (SKYLAKE | {"mtriple": "x86_64-win32"}, {"/mtriple": "TRIPLE_MISREAD"}),
    ({"kind": "hexagon", "mtriple": "hexagon-linux-musl"}, {"/mtriple": "TRIPLE_MISREAD"}),
    (A100 | {"host": SKYLAKE | {"mtriple": "x86_64-linux"}}, {"/host/mtriple": "TRIPLE_MISREAD"}),
    (SKYLAKE | {"mabi": "lp64d"}, {"/mabi": "ABI_FOREIGN"}),
    (U74 | {"mabi": "ilp32d"}, {"/mabi": "ABI_FOREIGN"}),
    (SKYLAKE | {"mfloat-abi": "soft"}, {"/mfloat-abi": "ABI_FOREIGN"}),
    (SKYLAKE | {"keys": ["arm_cpu", "cpu"]}, {"/keys/0": "KEYS_FOREIGN"}),
    (SKYLAKE | {"device": "arm_cpu"}, {"/device": "KEYS_FOREIGN"}),
    (A100 | {"keys": ["cuda", "cpu"]}, {"/keys/1": "KEYS_FOREIGN"}),
    ({"kind": "c", "mcpu": "cortex-m7", "keys": ["riscv_cpu"]}, {"/keys/0": "KEYS_FOREIGN"}),
    (A100 | {"thread_warp_size": 64}, {"/thread_warp_size": "WARP_SIZE_IMPOSSIBLE"}),
    ({"kind": "nvptx", "mcpu": "sm_80", "thread_warp_size": 16}, {"/thread_warp_size": "WARP_SIZE_IMPOSSIBLE"}),
    ({"kind": "rocm", "mcpu": "gfx906", "thread_warp_size": 32}, {"/thread_warp_size": "WARP_SIZE_IMPOSSIBLE"}),
    ({"kind": "rocm", "mcpu": "gfx803", "thread_warp_size": 32}, {"/thread_warp_size": "WARP_SIZE_IMPOSSIBLE"}),
    (A100 | {"libs": ["cudnn", "cudn"]}, {"/libs/1": "LIBRARY_UNKNOWN"}),
    (A100 | {"libs": ["mkl"]}, {"/libs/0": "LIBRARY_UNKNOWN"}),
    ({"kind": "c", "libs": ["cudnn"]}, {"/libs/0": "LIBRARY_UNKNOWN"}),
    ({"kind": "composite", "devices": [A100], "libs": ["mkl"], "host": SKYLAKE}, {"/libs/0": "LIBRARY_UNKNOWN"}),
    ({"kind": "byoc", "codegen": "tensorr", "devices": [A100]}, {"/codegen": "CODEGEN_UNKNOWN"}),
    ({"kind": "byoc", "codegen": "cutlass", "devices": [SKYLAKE]}, {"/codegen": "CODEGEN_FOREIGN"}),
    ({"kind": "c", "flow": {"enable-byoc": ["cmsis-nm"]}}, {"/flow/enable-byoc/0": "CODEGEN_UNKNOWN"}),
    ({"kind": "composite", "devices": ["c"], "executor": "vm", "runtime": "crt"}, {"/runtime": "COMPONENTS_DISAGREE", "/runtime/kind": "REMOVED_IN"}),
    ({"kind": "composite", "devices": [{"kind": "c", "executor": "vm"}], "runtime": "crt"}, {"/devices/0/executor": "COMPONENTS_DISAGREE", "/runtime/kind": "REMOVED_IN"}),
    ({"kind": "composite", "devices": [A100], "executor": "graph", "runtime": "crt"}, {"/runtime": "COMPONENTS_DISAGREE", "/executor/kind": "REMOVED_IN", "/runtime/kind": "REMOVED_IN"}),
    ({"kind": "composite", "devices": ["c"], "executor": "graph", "runtime": "cuda-graph", "host": "c"}, {"/runtime": "COMPONENTS_DISAGREE", "/executor/kind": "REMOVED_IN"}),
    ({"kind": "c", "executor": "aot", "runtime": "crt"}, {"/runtime/kind": "REMOVED_IN"}),
    (A100 | {"executor": "graph"}, {"/executor/kind": "REMOVED_IN"}),
    ({"kind": "composite", "devices": {"gpu": {"kind": "composite", "devices": [A100], "runtime": "cpp"}, "cpu": "c"}, "runtime": "crt"}, {"/runtime/kind": "REMOVED_IN"}),
    ({"kind": "composite", "devices": {"a": {"kind": "composite", "devices": [A100], "executor": "graph"}}}, {"/devices/a/executor/kind": "REMOVED_IN"}),
    (A100 | {"executor": "aot", "runtime": "cuda-graph"}, {"/runtime": "COMPONENTS_DISAGREE"}),
    ({"kind": "cuda"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "nvptx"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "hexagon"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "c", "mcpu": "native"}, {"/mcpu": "HOST_DEPENDENT"}),
    ({"kind": "rocm"}, {"": "HOST_DEPENDENT"}),
    ({"kind": "c", "host": "ext_dev"}, {"/host": "HOST_NOT_CPU"}),
    ({"kind": "composite", "devices": ["c", A100 | {"host": "trn"}]}, {"/devices/1/host": "HOST_NOT_CPU"}),
    ({"kind": "c", "host": {"kind": "c", "host": "c"}}, {"/host/host": "HOST_OF_HOST"}),
    ({"kind": "c", "host": {"kind": "c", "flow": {"tir.disable_vectorize": True}}}, {"/host/flow/tir.disable_vectorize": "HOST_FLOW"}),
    (
        {"kind": "composite", "flow": {"link-params": True}, "devices": {"a": {"kind": "c", "host": {"kind": "c", "flow": {"link-params": False}}}}},
        {"/devices/a/host/flow/link-params": "HOST_FLOW"},
    ),
    (
        {"kind": "composite", "executor": "vm", "devices": {"a": {"kind": "composite", "executor": "aot", "devices": ["c"]}}},
        {"/devices/a/executor/kind": "COMPONENTS_DISAGREE"},
    ),
    (
        {"kind": "composite", "executor": "aot", "devices": {"a": {"kind": "composite", "devices": [{"kind": "c", "executor": "vm"}]}}},
        {"/devices/a/devices/0/executor/kind": "COMPONENTS_DISAGREE"},
    ),
    ({"kind": "c", "executor": "vm", "host": {"kind": "c", "executor": "aot"}}, {"/host/executor/kind": "COMPONENTS_DISAGREE"}),
    (
        {"kind": "composite", "devices": {"a": {"kind": "composite", "devices": [A100], "executor": "aot", "runtime": "cuda-graph"}}},
        {"/devices/a/runtime": "COMPONENTS_DISAGREE"},
    ),
    (
        {"kind": "composite", "devices": {"a": {"kind": "composite", "devices": [A100], "executor": "aot", "runtime": "crt"}}},
        {"/devices/a/runtime": "COMPONENTS_DISAGREE", "/devices/a/runtime/kind": "REMOVED_IN"},
    ),
    ({"kind": "c", "flow": {"tir.disable_vectorise": True}}, {"/flow/tir.disable_vectorise": "FLOW_UNKNOWN"}),
    ({"kind": "c", "flow": {"tir.usmp.enable": True}}, {"/flow/tir.usmp.enable": "REMOVED_IN"}),
    ({"kind": "c", "hardware": {"cores": 1}}, {"/hardware": "HARDWARE_UNSOURCED"}),
    ({"kind": "composite", "devices": {"a": {"kind": "c", "hardware": {"cores": 1}}}}, {"/devices/a/hardware": "HARDWARE_UNSOURCED"}),
]  # fmt: skip


def test_unsourced_hardware_names_the_groups_that_lack_a_source() -> None:
    facts = {"model": "a", "cores": 1, "memory_bytes": 1, "power_watts": 5}
    (lint,) = found({"kind": "c", "hardware": facts | {"sources": {"counts": ["https://x.org"]}}})
    assert lint.message == "these groups of hardware facts have no source: memory, power"


@pytest.mark.parametrize(("body", "expected"), CASES, ids=range(len(CASES)))
def test_warnings_of_targets(body: Json, expected: dict[str, str]) -> None:
    assert codes(body) == expected
    assert all(lint.message and lint.expected for lint in found(body))


def test_a_stored_host_that_is_a_gpu_is_warned_of() -> None:
    """Bodies with one are refused since release 0.2."""
    lints = lint_target({"kind": "cuda", "arch": "sm_80", "host": A100}, KINDS, FACTS)
    assert [(lint.pointer, lint.code) for lint in lints] == [("/host", "HOST_NOT_CPU")]


def test_an_llvm_leaf_without_anything_depends_on_its_host_and_cannot_be_tuned() -> None:
    lints = [(lint.pointer, lint.code) for lint in found({"kind": "llvm"})]
    assert sorted(lints) == [
        ("", "HOST_DEPENDENT"),
        ("", "NUM_CORES_MISSING"),
        ("", "TRIPLE_MISSING"),
    ]


def test_a_family_needs_no_number_of_cores() -> None:
    body = {"kind": "llvm", "mtriple": LINUX, "mcpu": "haswell"}
    assert [lint.code for lint in found(body)] == ["NUM_CORES_MISSING"]
    assert found(body, is_family=True) == []


def test_order_of_settings_does_not_change_that_of_lints() -> None:
    settings: list[tuple[str, Json]] = [("link-params", False), ("enable-byoc", ["cutlass"])]

    def pointers(flow: dict[str, Json]) -> list[str]:
        target: Json = {"kind": "c", "host": {"kind": "c", "flow": flow}}
        return [lint.pointer for lint in lint_target(target, KINDS, FACTS)]

    assert pointers(dict(settings)) == pointers(dict(reversed(settings)))


def test_a_mixin_has_no_lints() -> None:
    mixin: dict[str, Any] = {"mcpu": "skylak", "mattr": ["+nosuchfeature"]}
    check_target(mixin, KINDS)
    assert lint_target(mixin, KINDS, FACTS) == ()


SUGGESTED: list[tuple[Json, str, str]] = [
    (SKYLAKE | {"mcpu": "skylak"}, "/mcpu", "skylake"),
    ({"kind": "cuda", "arch": "sm_899"}, "/arch", "sm_89"),
    ({"kind": "rocm", "mcpu": "gfx999"}, "/mcpu", "gfx909"),
    ({"kind": "hexagon", "mcpu": "hexagonv70"}, "/mcpu", "hexagonv73"),
    (SKYLAKE | {"mattr": ["+avx512"]}, "/mattr/0", "avx512f"),
    ({"kind": "llvm", "mtriple": "riscv64-linux-gnu", "num-cores": 1}, "", "generic-rv64"),
    ({"kind": "llvm", "mcpu": "skylake", "num-cores": 1}, "", "x86_64-unknown-linux-gnu"),
    (SKYLAKE | {"mtriple": "x86_64-pc-linus-gnu"}, "/mtriple", "x86_64-pc-linux-gnu"),
    (SKYLAKE | {"mtriple": "x86-64-linux-gnu"}, "/mtriple", "x86_64-64-linux-gnu"),
    (CORTEX_A72 | {"mtriple": "arm64-unknown-linux-gnu"}, "/mtriple", "aarch64-unknown-linux-gnu"),
    (SKYLAKE | {"mtriple": "x86_64-w64-mingw32"}, "/mtriple", "x86_64-w64-windows-gnu"),
    (U74 | {"mabi": "lp64dd"}, "/mabi", "lp64d"),
    (SKYLAKE | {"keys": ["arm_cpu"]}, "/keys/0", "x86"),
    (A100 | {"thread_warp_size": 64}, "/thread_warp_size", "32"),
    (A100 | {"libs": ["cudn"]}, "/libs/0", "cudnn"),
    ({"kind": "byoc", "codegen": "tensorr", "devices": [A100]}, "/codegen", "tensorrt"),
    ({"kind": "byoc", "codegen": "cutlass", "devices": [SKYLAKE]}, "/codegen", "bnns"),
    (A100 | {"runtime": "crt"}, "/runtime", "cpp"),
    ({"kind": "c", "flow": {"tir.disable_vectorise": 1}}, "/flow/tir.disable_vectorise", "tir.disable_vectorize"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "pointer", "name"), SUGGESTED, ids=range(len(SUGGESTED)))
def test_a_warning_suggests_near_names(body: Json, pointer: str, name: str) -> None:
    suggestions = {s for lint in found(body) if lint.pointer == pointer for s in lint.suggestions}
    assert name in suggestions


def test_a_warning_says_which_architecture_has_a_foreign_name() -> None:
    (lint,) = found(SKYLAKE | {"mattr": ["+neon"]})
    assert "only for aarch64, arm" in lint.message
    (lint,) = found(A100 | {"libs": ["mkl"]})
    assert "only from llvm" in lint.message


@pytest.mark.parametrize(
    "triple",
    [
        *("arm64-apple-macos", "arm64-apple-ios", "arm64-ios", "arm64e-apple-darwin"),
        *("armv7-alpine-linux-musleabihf", "x86_64-w64-mingw32", "aarch64-poky-linux"),
        *("aarch64-cros-linux-gnu", "riscv64-buildroot-linux-gnu", "arm-none-eabi"),
        *("x86_64-unknown-none-elf", "aarch64-linux-android21", "x86_64-apple-macosx10.15"),
        *("i686-pc-windows-msvc", "wasm32-wasip1", "thumbv8.1m.main-none-eabihf"),
        *("x86_64-linux", "x86_64-linux-gnu", "x86_64-gnu-linux", "x86_64"),
    ],
)
def test_triples_in_use_are_known_even_if_they_are_not_normalised(triple: str) -> None:
    body = {"kind": "llvm", "mtriple": triple, "num-cores": 1}
    codes = {lint.code for lint in found(body) if lint.code.startswith("TRIPLE")}
    assert codes <= {"TRIPLE_MISREAD"}
    normal = found({**body, "mtriple": normalize(triple)})
    assert not [lint for lint in normal if lint.code.startswith("TRIPLE")]


def test_lint_of_a_misread_triple_names_what_is_lost() -> None:
    (lint,) = found(SKYLAKE | {"mtriple": "x86_64-linux-gnu"})
    assert "without linux and gnu" in lint.message


@given(targets)
def test_exactly_host_dependent_leaves_have_no_key(body: Json) -> None:
    target = target_of(body)
    lints = lint_target(target, KINDS, FACTS)
    dependent = {lint.pointer for lint in lints if lint.code == "HOST_DEPENDENT"}
    assert not dependent & tuning_keys(target, KINDS).keys()


@given(targets)
def test_every_lint_says_where_what_and_what_instead(body: Json) -> None:
    for lint in lint_target(target_of(body), KINDS, FACTS):
        assert lint.code.isupper()
        assert lint.message
        assert lint.expected
