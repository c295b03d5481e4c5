# ruff: noqa: E501 - tables read best in rows
"""Text in targets that must not reach a compiler."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.checks.checks import check_target, matching_kinds
from registry.domain.checks.unsafe_text import UNSAFE_SETTINGS, text_faults
from registry.domain.document import Json
from registry.domain.kinds.kinds import Kind, Kinds
from tests.domain.builders import KINDS, Library, faults, refusal, target_of
from tests.domain.shipped import library as shipped
from tests.domain.strategies import targets
from ttag_rules.flow_names import BOOLEANS, INTEGERS

LLVM: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72"}
HEXAGON: dict[str, Any] = {"kind": "hexagon", "mtriple": "hexagon", "mcpu": "hexagonv68"}

# A body, and the pointers and codes of its faults.
REJECTED: list[tuple[Json, dict[str, str]]] = [
    ({"kind": "llvm", "mtriple": "x86_64-a/evil-linux-gnu"}, {"/mtriple": "VALUE_PATTERN"}),
    ({"kind": "hexagon", "mtriple": "hexagon/../x"}, {"/mtriple": "VALUE_PATTERN"}),
    ({"kind": "hexagon", "mcpu": "hexagon../../x"}, {"/mcpu": "VALUE_PATTERN"}),
    ({"kind": "hexagon", "mcpu": "help"}, {"/mcpu": "OPTION_UNSAFE"}),
    ({"kind": "llvm", "mcpu": "help"}, {"/mcpu": "OPTION_UNSAFE"}),
    ({"kind": "llvm", "mcpu": "-mcpu=x"}, {"/mcpu": "VALUE_PATTERN"}),
    ({"kind": "c", "mcpu": "a=b", "march": "a,b"}, {"/mcpu": "VALUE_PATTERN", "/march": "VALUE_PATTERN"}),
    ({"kind": "cuda", "mcpu": "a@b"}, {"/mcpu": "VALUE_PATTERN"}),
    ({"kind": "llvm", "mabi": "x:y"}, {"/mabi": "VALUE_PATTERN"}),
    ({"kind": "llvm", "mattr": ["+a", "--b", "+help"]}, {"/mattr/1": "VALUE_PATTERN", "/mattr/2": "OPTION_UNSAFE"}),
    ({"kind": "vulkan", "mattr": ["-a"], "driver_name": "a/b"}, {"/mattr/0": "VALUE_PATTERN", "/driver_name": "VALUE_PATTERN"}),
    ({"kind": "c", "keys": ["cpu", "../x"]}, {"/keys/1": "VALUE_PATTERN"}),
    ({"kind": "c", "device": "/dev/x", "libs": ["-lx"]}, {"/device": "VALUE_PATTERN", "/libs/0": "VALUE_PATTERN"}),
    ({"kind": "byoc", "codegen": "a/b", "devices": ["c"]}, {"/codegen": "VALUE_PATTERN"}),
    ({"kind": "c", "model": "a..b"}, {"/model": "VALUE_PATTERN"}),
    ({"kind": "c", "flow": {"enable-byoc": ["x", "a/b"]}}, {"/flow/enable-byoc/1": "VALUE_PATTERN"}),
    ({"kind": "c", "flow": {"a.b": "x"}}, {"/flow/a.b": "OPTION_UNSAFE"}),
    ({"kind": "c", "flow": {"a.b": [1, "x"]}}, {"/flow/a.b/1": "OPTION_UNSAFE"}),
    ({"kind": "c", "flow": {"tir.usmp.algorithm": "x"}}, {"/flow/tir.usmp.algorithm": "VALUE_UNKNOWN"}),
    ({"kind": "c", "flow": {"tirx.disable_vectorize": True, "tirx.instrument_lwp": True}}, {"/flow/tirx.instrument_lwp": "OPTION_UNSAFE"}),
    ({**LLVM, "cl-opt": ["-print-after-all"]}, {"/cl-opt/0": "OPTION_UNSAFE"}),
    ({**LLVM, "cl-opt": ["-unroll-runtime", "-load=/x.so"]}, {"/cl-opt/1": "OPTION_UNSAFE"}),
    ({**LLVM, "cl-opt": ["-ir-dump-directory:string=x"]}, {"/cl-opt/0": "OPTION_UNSAFE"}),
    ({**HEXAGON, "llvm-options": ["-force-hvx-float,-load=/x"]}, {"/llvm-options/0": "OPTION_UNSAFE"}),
    ({**HEXAGON, "llvm-options": ["-info-output-file@x"]}, {"/llvm-options/0": "OPTION_UNSAFE"}),
    ({"kind": "cuda", "host": {**LLVM, "cl-opt": ["-stats"]}}, {"/host/cl-opt/0": "OPTION_UNSAFE"}),
    ({"kind": "composite", "devices": {"a": {**HEXAGON, "llvm-options": ["-x"]}}}, {"/devices/a/llvm-options/0": "OPTION_UNSAFE"}),
    # mixins
    ({"cl-opt": ["-stats"]}, {"/cl-opt/0": "OPTION_UNSAFE"}),
    ({"cl-opt": {"$append": ["-stats"]}}, {"/cl-opt/$append/0": "OPTION_UNSAFE"}),
    ({"host": {"mtriple": "a/b"}}, {"/host/mtriple": "VALUE_PATTERN"}),
    ({"flow": {"a.b": {"$append": ["x"]}}}, {"/flow/a.b/$append/0": "OPTION_UNSAFE"}),
    ({"devices": {"$append": [{"kind": "c", "mcpu": "a/b"}]}}, {"/devices/$append/0/mcpu": "VALUE_PATTERN"}),
]  # fmt: skip

ACCEPTED: list[Json] = [
    {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "skylake-avx512", "mabi": "lp64d"},
    {"kind": "llvm", "mtriple": "amdgcn-amd-amdhsa", "mcpu": "gfx90a:sramecc+:xnack-"},
    {"kind": "llvm", "mtriple": "default", "mcpu": "native"},
    {**LLVM, "cl-opt": ["-unroll-threshold:uint=100", "-unroll-count:uint=3", "--unroll-runtime=false"]},
    {**HEXAGON, "mattr": ["+hvxv68", "-hvx-ieee-fp"], "llvm-options": ["-force-hvx-float", "-unroll-count=2"]},
    {"kind": "vulkan", "mattr": ["spirv1.3"], "device_name": "AMD Radeon RX 6800 (RADV NAVI21)"},
    {"kind": "c", "march": "armv8.1-m.main", "model": "STM32F746G-DISCO", "keys": ["arm_cpu", "cpu"]},
    {"kind": "c", "flow": {"enable-byoc": ["cmsis-nn"], "a.b": [1, True, 0.5], "tir.usmp.algorithm": "hill_climb"}},
    {"kind": "c", "flow": {"tirx.instrument_lwp": False}},
    {"kind": "c", "hardware": {"vendor": "A/B @ C: <d>", "sources": {"all": ["https://example.org/a?b=c"]}}},
    {"cl-opt": {"$remove": ["-print-after-all"], "$append": ["-unroll-runtime"]}},
    {"cl-opt": None, "flow": {"cuda.kernels_output_dir": None}},
    {"mattr": ["word"]},  # of vulkan, though no feature of llvm
]  # fmt: skip


@pytest.mark.parametrize(("body", "codes"), REJECTED)
def test_unsafe_text_is_rejected(body: Json, codes: dict[str, str]) -> None:
    found = faults(body)
    assert {pointer: fault.code for pointer, fault in found.items() if pointer in codes} == codes
    for pointer in codes:
        assert found[pointer].expected
        assert found[pointer].found in found[pointer].message
    assert {fault.pointer for fault in text_faults(body, KINDS)} == set(codes)


@pytest.mark.parametrize("body", ACCEPTED)
def test_text_of_real_targets_is_accepted(body: Json) -> None:
    assert target_of(body) == body


@given(targets)
def test_generated_targets_hold_no_unsafe_text(body: Json) -> None:
    assert not list(text_faults(target_of(body), KINDS))


def test_a_body_with_unsafe_options_only_is_refused_as_such() -> None:
    body = {**LLVM, "cl-opt": ["-stats", "-load=x"]}
    assert refusal(lambda: target_of(body)).code == "OPTION_UNSAFE"
    assert refusal(lambda: target_of({**body, "jit": "x"})).code == "BODY_INVALID"


# Inherited text


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"tag": "t/old", "num-cores": 4}, "/cl-opt/0"),
        ({"kind": "cuda", "arch": "sm_90", "host": "t/old"}, "/host/cl-opt/0"),
        ({"kind": "composite", "devices": {"a": {"tag": "t/old", "keys": []}}}, "/devices/a/cl-opt/0"),
    ],
)  # fmt: skip
def test_inherited_text_is_rejected_with_the_name_of_the_parent(body: Json, pointer: str) -> None:
    library = Library()
    library.put("t/old", {**LLVM, "cl-opt": ["-print-after-all"]})
    (fault,) = faults(body, library).values()
    assert (fault.pointer, fault.code) == (pointer, "OPTION_UNSAFE")
    assert "t/old@1.0.0" in fault.message
    assert "$remove" in fault.expected


@pytest.mark.parametrize("fix", [None, [], {"$remove": ["-print-after-all"]}])
def test_an_override_drops_what_a_parent_states(fix: Json) -> None:
    library = Library()
    library.put("t/old", {**LLVM, "cl-opt": ["-print-after-all"]})
    assert not target_of({"tag": "t/old", "cl-opt": fix}, library).get("cl-opt")


# Kinds


def test_a_revision_of_a_kind_is_not_refused_because_of_text() -> None:
    old = {**LLVM, "cl-opt": ["-print-after-all"], "mtriple": "a/b"}
    assert matching_kinds(old, KINDS) == {"llvm"}
    assert refusal(lambda: check_target(old, KINDS)).faults


def kind_with(**schema: Any) -> Kinds:
    option = {**schema, "x-consumers": ["codegen"], "x-affects-tuning": True}
    source = {"type": "object", "properties": {"o": option}, "additionalProperties": False}
    return Kinds([*KINDS.values(), Kind("mine", 1, source)])


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "safe", "unsafe"),
    [
        (TEXT, "a-b.c", "a/b"),
        (TEXT, "a", "-a"),
        ({"$ref": "#/$defs/text"}, "a", "a=b"),
        ({"$ref": "#/$defs/texts"}, ["a"], ["a=b"]),
        ({"$ref": "#/$defs/triple"}, "x86_64-linux-gnu", "x86_64-a/b"),
        ({"$ref": "#/$defs/name"}, "gfx90a:xnack+", "a:b"),
        ({"$ref": "#/$defs/product"}, "a (b) / c", "a..b"),
        ({"$ref": "#/$defs/features"}, ["+a"], ["+a", "-a"]),
        ({"type": "array", "items": {"$ref": "#/$defs/product"}}, ["a b"], ["a..b"]),
        ({"type": "array", "items": TEXT}, ["a"], ["a/b"]),
        ({"type": "string", "pattern": "^.*$"}, "a", "a/b"),
        ({"enum": ["a/b", "-c"]}, "-c", None),
        ({"type": "array", "items": {"enum": ["a/b"]}}, ["a/b"], None),
        ({"type": "object"}, {"a": ["b", 1, {"c": True}]}, {"a": [{"b": "/c"}]}),
        ({"type": "object"}, {"a": 1}, {"a/b": 1}),
        ({"type": "object", "properties": {"a": {"enum": ["/"]}}}, {"a": "/"}, {"b": "/"}),
    ],
)
def test_an_option_of_another_kind_has_the_strict_pattern_or_the_one_it_chooses(
    schema: dict[str, Any], safe: Json, unsafe: Json
) -> None:
    kinds = kind_with(**schema)
    assert not list(text_faults({"kind": "mine", "o": safe}, kinds))
    if unsafe is not None:
        assert list(text_faults({"kind": "mine", "o": unsafe}, kinds))


@pytest.mark.parametrize("role", ["executor", "runtime"])
def test_executors_and_runtimes_of_other_kinds_are_checked(role: str) -> None:
    source = {"type": "object", "properties": {"o": TEXT}}
    kinds = Kinds([*KINDS.values(), Kind(f"{role}/mine", 1, source)])
    for text, count in (("a", 0), ("../a", 1)):
        found = list(text_faults({"kind": "c", role: {"kind": "mine", "o": text}}, kinds))
        assert [fault.pointer for fault in found] == [f"/{role}/o"] * count
        assert len(list(text_faults({role: {"o": text}}, kinds))) == count


def test_text_under_a_kind_or_option_that_is_gone_is_checked_strictly() -> None:
    assert list(text_faults({"kind": "gone", "o": "a/b", "mtriple": "a/b"}, KINDS))
    assert not list(text_faults({"kind": "gone", "o": "a"}, KINDS))


# Pass settings


def test_every_setting_of_tvm_is_accepted_or_unsafe() -> None:
    for name in BOOLEANS | INTEGERS:
        flow: Json = {"kind": "c", "flow": {name: name in BOOLEANS or 1}}
        assert bool(list(text_faults(flow, KINDS))) == (name in UNSAFE_SETTINGS)


@pytest.mark.parametrize("name", UNSAFE_SETTINGS)
@pytest.mark.parametrize("value", [True, 1, "x", ["x"]])
def test_settings_that_name_a_file_load_or_profile_are_unsafe(name: str, value: Json) -> None:
    fault = faults({"kind": "c", "flow": {name: value}})
    assert {item.code for item in fault.values()} == {"OPTION_UNSAFE"}
    assert f"no {name}" in fault[f"/flow/{name}"].expected


# The catalogue


def test_no_version_of_the_catalogue_holds_unsafe_text() -> None:
    versions = [version for history in shipped().versions.values() for version in history]
    assert len(versions) > 7000
    unsafe = [
        (version.published.exact, fault)
        for version in versions
        for fault in text_faults(version.resolution.target, KINDS)
    ]
    assert not unsafe
