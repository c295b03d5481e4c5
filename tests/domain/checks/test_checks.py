# ruff: noqa: E501 - tables read best in rows
"""Checks of a target against its kinds."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.checks.checks import check_target, mixin_kinds
from registry.domain.document import Json
from registry.domain.errors import Code
from registry.domain.kinds.kinds import Kind, Kinds
from tests.domain.builders import KINDS, faults, refusal, target_of
from tests.domain.strategies import patches, targets


@given(targets)
def test_bodies_generated_from_the_schemas_are_valid(body: Json) -> None:
    assert target_of(body)


# Body, pointer, code, expected and found (parts of), the nearest name.
OPTIONS: list[tuple[Json, str, str, str, str, str]] = [
    ({"kind": "llvm", "mcpuu": "x"}, "/mcpuu", "OPTION_UNKNOWN", "option", "mcpuu", "mcpu"),
    ({"kind": "llvm", "num_cores": 4}, "/num_cores", "OPTION_UNKNOWN", "option", "num_cores", "num-cores"),
    ({"kind": "c", "host": {"kind": "llvm", "a/b~": 1}}, "/host/a~1b~0", "OPTION_UNKNOWN", "option", "a/b~", ""),
    ({"kind": "llvm", "num-cores": "x"}, "/num-cores", "VALUE_TYPE", "integer", "x", ""),
    ({"kind": "llvm", "num-cores": True}, "/num-cores", "VALUE_TYPE", "integer", "true", ""),
    ({"kind": "llvm", "num-cores": 4.0}, "/num-cores", "VALUE_TYPE", "integer", "4.0", ""),
    ({"kind": "llvm", "num-cores": 4.5}, "/num-cores", "VALUE_TYPE", "integer", "4.5", ""),
    ({"kind": "llvm", "num-cores": 0}, "/num-cores", "VALUE_RANGE", "1 or more", "0", ""),
    ({"kind": "llvm", "num-cores": 65537}, "/num-cores", "VALUE_RANGE", "65536 or less", "65537", ""),
    ({"kind": "llvm", "fast-math": 1}, "/fast-math", "VALUE_TYPE", "boolean", "1", ""),
    ({"kind": "llvm", "jit": "orc"}, "/jit", "VALUE_UNKNOWN", "orcjit", "orc", "orcjit"),
    ({"kind": "llvm", "libs": "x"}, "/libs", "VALUE_TYPE", "array", "x", ""),
    ({"kind": "llvm", "libs": [1]}, "/libs/0", "VALUE_TYPE", "string", "1", ""),
    ({"kind": "llvm", "libs": [None]}, "/libs/0", "VALUE_TYPE", "string", "null", ""),
    ({"kind": "llvm", "mattr": ["neon"]}, "/mattr/0", "VALUE_PATTERN", "+name or -name", "neon", ""),
    ({"kind": "llvm", "mcpu": {"x": 1}}, "/mcpu", "VALUE_TYPE", "string", '{"x": 1}', ""),
    ({"kind": "cuda", "arch": "sm53"}, "/arch", "VALUE_PATTERN", "sm_", "sm53", ""),
    ({"kind": "cuda", "max_threads_per_block": 4.0}, "/max_threads_per_block", "VALUE_TYPE", "integer", "4.0", ""),
    ({"kind": "nvptx", "mtriple": "x"}, "/mtriple", "VALUE_UNKNOWN", "nvptx64", "x", ""),
    ({"kind": "llvm", "from_device": 0}, "/from_device", "OPTION_UNKNOWN", "option", "from_device", "device"),
    ({"kind": "llvm", "target_device_type": 0}, "/target_device_type", "OPTION_UNKNOWN", "option", "target_device_type", ""),
    ({"kind": "llvm", "feature.has_sve": True}, "/feature.has_sve", "OPTION_UNKNOWN", "option", "feature.has_sve", ""),
    ({"kind": "llvm", "link-params": True}, "/link-params", "OPTION_UNKNOWN", "flow", "link-params", "flow"),
    ({"kind": "c", "executor": {"kind": "aot", "unpacked_api": True}}, "/executor/unpacked_api", "OPTION_UNKNOWN", "option", "unpacked_api", "unpacked-api"),
    ({"kind": "c", "executor": {"kind": "aot", "link-params": True}}, "/executor/link-params", "OPTION_UNKNOWN", "option", "link-params", ""),
    ({"kind": "c", "executor": {"kind": "aot", "workspace-byte-alignment": 3}}, "/executor/workspace-byte-alignment", "VALUE_UNKNOWN", "1, 2, 4", "3", ""),
    ({"kind": "c", "runtime": {"kind": "crt", "system-lib": 1}}, "/runtime/system-lib", "VALUE_TYPE", "boolean", "1", ""),
    ({"kind": "c", "executor": "aott"}, "/executor/kind", Code.KIND_UNKNOWN, "aot, graph, vm", "aott", "aot"),
    ({"kind": "c", "runtime": "c++"}, "/runtime/kind", Code.KIND_UNKNOWN, "cpp", "c++", "cpp"),
    ({"kind": "c", "executor": {}}, "/executor", "OPTION_MISSING", "executor", "", ""),
    ({"kind": "c", "executor": 5}, "/executor", "VALUE_TYPE", "name", "5", ""),
    ({"kind": "c", "flow": {"link_params": True}}, "/flow/link_params", "OPTION_UNKNOWN", "option", "link_params", "link-params"),
    ({"kind": "c", "flow": {"undotted": 1}}, "/flow/undotted", "OPTION_UNKNOWN", "option", "undotted", ""),
    ({"kind": "c", "flow": {"a..b": 1}}, "/flow/a..b", "OPTION_UNKNOWN", "option", "a..b", ""),
    ({"kind": "c", "flow": {"a.b": {}}}, "/flow/a.b", "VALUE_TYPE", "array", "{}", ""),
    ({"kind": "c", "flow": {"a.b": [[1]]}}, "/flow/a.b/0", "VALUE_TYPE", "string", "[1]", ""),
    ({"kind": "c", "flow": {"link-params": "yes"}}, "/flow/link-params", "VALUE_TYPE", "boolean", "yes", ""),
    ({"kind": "c", "flow": 5}, "/flow", "VALUE_TYPE", "object", "5", ""),
    ({"kind": "c", "hardware": {"core": 1}}, "/hardware/core", "OPTION_UNKNOWN", "option", "core", "cores"),
    ({"kind": "c", "hardware": {"launched": "2020-13"}}, "/hardware/launched", "VALUE_PATTERN", "[0-9]", "2020-13", ""),
    ({"kind": "c", "hardware": {"peak_ops_per_s": {"fp23": 1}}}, "/hardware/peak_ops_per_s/fp23", "OPTION_UNKNOWN", "option", "fp23", ""),
    ({"kind": "c", "hardware": {"power_watts": 0}}, "/hardware/power_watts", "VALUE_RANGE", "more than 0", "0", ""),
    ({"kind": "c", "hardware": {"sources": {"all": ["http://x.org"]}}}, "/hardware/sources/all/0", "VALUE_PATTERN", "https", "http://x.org", ""),
    ({"kind": "c", "hardware": {"sources": {"cores": ["https://x.org"]}}}, "/hardware/sources/cores", "OPTION_UNKNOWN", "option", "cores", ""),
    ({"kind": "c", "hardware": {"sources": ["https://x.org"]}}, "/hardware/sources", "VALUE_TYPE", "object", '["https://x.org"]', ""),
    ({"kind": "c", "hardware": []}, "/hardware", "VALUE_TYPE", "object", "[]", ""),
    ({"kind": "lvm"}, "/kind", Code.KIND_UNKNOWN, "llvm", "lvm", "llvm"),
    ({"kind": "LLVM"}, "/kind", Code.KIND_UNKNOWN, "llvm", "LLVM", "llvm"),
    ({"kind": ["llvm"]}, "/kind", Code.KIND_UNKNOWN, "llvm", '["llvm"]', ""),
    ({"kind": 5}, "/kind", Code.KIND_UNKNOWN, "llvm", "5", ""),
    ({"kind": "aot"}, "/kind", Code.KIND_UNKNOWN, "executor", "aot", "executor"),
    ({"kind": "c", "host": "lvm"}, "/host/kind", Code.KIND_UNKNOWN, "llvm", "lvm", "llvm"),
    ({"kind": "c", "host": {"mcpu": "x"}}, "/host", "OPTION_MISSING", "kind", "", ""),
    ({"kind": "c", "host": {}}, "/host", "OPTION_MISSING", "kind", "", ""),
    ({"kind": "c", "host": 5}, "/host", "VALUE_TYPE", "target", "5", ""),
    ({"kind": "c", "host": ["llvm"]}, "/host", "VALUE_TYPE", "target", '["llvm"]', ""),
    ({"kind": "c", "devices": ["c"]}, "/devices", "OPTION_UNKNOWN", "composite", "", ""),
    ({"kind": "composite", "devices": [5]}, "/devices/0", "VALUE_TYPE", "target", "5", ""),
    ({"kind": "composite", "devices": "c"}, "/devices", "VALUE_TYPE", "list of targets", "c", ""),
    ({"kind": "composite"}, "", "OPTION_MISSING", "devices", "", ""),
    ({"kind": "composite", "devices": []}, "/devices", "OPTION_MISSING", "devices", "[]", ""),
    ({"kind": "composite", "devices": {}}, "/devices", "OPTION_MISSING", "devices", "{}", ""),
    ({"kind": "byoc", "devices": ["c"]}, "", "OPTION_MISSING", "codegen", "", ""),
    ({"kind": "composite", "codegen": "x", "devices": ["c"]}, "/codegen", "OPTION_UNKNOWN", "option", "codegen", ""),
    ({"kind": "composite", "devices": {"kind": "c"}}, "/devices/kind", "LABEL_INVALID", "label", "kind", ""),
    ({"kind": "composite", "devices": {"tag": "c"}}, "/devices/tag", "LABEL_INVALID", "label", "tag", ""),
    ({"kind": "composite", "devices": {"Tag": "c"}}, "/devices/Tag", "LABEL_INVALID", "label", "Tag", ""),
    ({"kind": "composite", "devices": {"": "c"}}, "/devices/", "LABEL_INVALID", "label", "", ""),
    ({"kind": "composite", "devices": {"a\n": "c"}}, "/devices/a\n", "LABEL_INVALID", "label", "a\\n", ""),
    ({"kind": "composite", "devices": {"0": "c"}}, "/devices/0", "LABEL_INVALID", "label", "0", ""),
    ({"kind": "composite", "devices": {"a" * 33: "c"}}, "/devices/" + "a" * 33, "LABEL_INVALID", "32", "aaa", ""),
    ({"kind": "c", "host": {"kind": "composite", "devices": ["c"]}}, "/host", "HOST_NOT_LEAF", "neither", "composite", ""),
    ({"kind": "c", "host": {"kind": "byoc", "codegen": "x", "devices": ["c"]}}, "/host", "HOST_NOT_LEAF", "neither", "byoc", ""),
    ({"kind": "cuda", "arch": "sm_80", "host": "cuda"}, "/host", "HOST_IS_GPU", "a CPU", "cuda", ""),
    ({"kind": "composite", "devices": {"a": {"kind": "c", "host": "metal"}}}, "/devices/a/host", "HOST_IS_GPU", "a CPU", "metal", ""),
    ({"kind": "composite", "devices": [{"kind": "composite", "devices": ["c"], "host": "opencl"}]}, "/devices/0/host", "HOST_IS_GPU", "a CPU", "opencl", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "pointer", "code", "expected", "result", "near"), OPTIONS, ids=range(len(OPTIONS))
)
def test_faults_have_pointer_code_and_expectation(  # noqa: PLR0917 - a row of the table
    body: Json, pointer: str, code: str, expected: str, result: str, near: str
) -> None:
    fault = faults(body)[pointer]
    assert fault.code == code
    assert expected in fault.expected
    assert result in fault.found
    assert result in fault.message
    assert fault.suggestions[:1] == ((near,) if near else ())


UNSAFE_TEXTS = [" ", "", "a\n", "\ta", 'a"', "a'", "$(a)", "`a`", "a;b", "a&b", "a|b", "a>b", "a\\b", "a*", "~a", "@a", "a\x7f", "\xe9", "a\u0661", "%s", "{a}", "x" * 257]  # fmt: skip


@pytest.mark.parametrize("text", ["a b", "a(b)", *UNSAFE_TEXTS])
@pytest.mark.parametrize("option", ["mcpu", "device", "libs", "flow", "codegen"])
def test_option_text_unsafe_on_command_lines_is_rejected(option: str, text: str) -> None:
    body: dict[str, Any] = {"kind": "llvm", option: text}
    pointer = f"/{option}"
    if option == "libs":
        body, pointer = {"kind": "llvm", "libs": ["ok", text]}, "/libs/1"
    elif option == "flow":
        body, pointer = {"kind": "llvm", "flow": {"a.b": text}}, "/flow/a.b"
    elif option == "codegen":
        body = {"kind": "byoc", "codegen": text, "devices": ["c"]}
    fault = faults(body)[pointer]
    if option == "flow":
        assert (fault.code, fault.expected) == ("OPTION_UNSAFE", "true, false or a number")
    else:
        assert fault.code == "VALUE_PATTERN"
        assert "beginning with a letter" in fault.expected


PRODUCTS = ["a", "(a)", "-a=b", "a@b", "A_1.2,+:=/-", "--model=gfx906", "Acme Inc.", "a b", "a  b", "NVIDIA A100-SXM4-40GB", "Intel(R) Core(TM) i7-8700 CPU @ 3.20GHz", "x" * 256]  # fmt: skip


@pytest.mark.parametrize("text", PRODUCTS)
def test_names_of_products_have_blanks_and_parentheses(text: str) -> None:
    target = target_of({"kind": "vulkan", "model": text, "device_name": text})
    assert (target["model"], target["device_name"]) == (text, text)


@pytest.mark.parametrize("text", ["a ", " a", "a\tb", "a\xa0b", *UNSAFE_TEXTS])
@pytest.mark.parametrize("option", ["model", "device_name"])
def test_other_names_of_products_are_rejected(option: str, text: str) -> None:
    fault = faults({"kind": "vulkan", option: text})[f"/{option}"]
    assert fault.code == "VALUE_PATTERN"
    assert "spaces" in fault.expected


@pytest.mark.parametrize(
    "label", ["a", "z9", "host", "devices", "hardware", "machine-0_a", "a" * 32]
)
def test_valid_labels_are_accepted(label: str) -> None:
    assert target_of({"kind": "composite", "devices": {label: "c"}})


def test_all_faults_of_a_stage_are_reported_together() -> None:
    body: Json = {
        "kind": "composite",
        "x": 1,
        "devices": {"A": {"kind": "lvm"}, "b": {"kind": "c", "mcpu": 1}},
        "host": {"kind": "composite"},
        "flow": 1,
    }
    result = faults(body)
    assert set(result) == {
        "/x",
        "/devices/A",
        "/devices/A/kind",
        "/devices/b/mcpu",
        "/host",
        "/flow",
    }
    assert result["/host"].code == "OPTION_MISSING"  # the rules across options are the next stage


# Mixins


@given(patches())
def test_a_patch_of_common_options_matches_all_kinds(patch: dict[str, Json]) -> None:
    target = target_of(patch)
    assert set(mixin_kinds(target, KINDS)) == set(KINDS.targets)


@pytest.mark.parametrize(
    ("patch", "fitting"),
    [
        ({"devices": {"a": {"mcpu": "x"}}}, {"composite", "byoc"}),
        ({"devices": {"$append": ["c"]}}, {"composite", "byoc"}),
        ({"devices": None}, {"composite", "byoc"}),
        ({"codegen": None}, {"byoc"}),
        ({"arch": "sm_90"}, {"cuda"}),
        ({"cl-opt": {"$append": ["-unroll-runtime"]}}, {"llvm"}),
        ({"mcpu": "sm_90"}, {"llvm", "c", "cuda", "nvptx", "hexagon"}),
        ({"mcpu": None, "mtriple": None}, {"llvm", "nvptx", "rocm", "hexagon"}),
    ],
)
def test_a_mixin_returns_the_kinds_that_it_matches(patch: Json, fitting: set[str]) -> None:
    target = target_of(patch)
    assert set(mixin_kinds(target, KINDS)) == fitting
    assert check_target(target, KINDS) >= fitting


@pytest.mark.parametrize(
    ("patch", "pointer", "code", "near"),
    [
        ({"mcpuu": "x"}, "/mcpuu", "OPTION_UNKNOWN", "mcpu"),
        ({"mcpuu": None}, "/mcpuu", "OPTION_UNKNOWN", "mcpu"),
        ({"arch": "sm_90", "cl-opt": ["-unroll-runtime"]}, "", "", ""),  # no kind has both
        ({"arch": "x"}, "/arch", "VALUE_PATTERN", ""),
        ({"libs": {"$append": [1]}}, "/libs/0", "VALUE_TYPE", ""),
        ({"num-cores": {"$append": [1]}}, "/num-cores", "VALUE_TYPE", ""),
        ({"num-cores": 4.0}, "/num-cores", "VALUE_TYPE", ""),
        ({"host": {"mcpuu": "x"}}, "/host/mcpuu", "OPTION_UNKNOWN", "mcpu"),
        ({"host": {"kind": "lvm"}}, "/host/kind", Code.KIND_UNKNOWN, "llvm"),
        ({"devices": ["c", {"mcpu": "x"}]}, "/devices/1", "OPTION_MISSING", ""),
        (
            {"devices": {"$append": [{"kind": "c", "x": 1}]}},
            "/devices/$append/0/x",
            "OPTION_UNKNOWN",
            "",
        ),
        ({"devices": {"A": {"mcpu": "x"}}}, "/devices/A", "LABEL_INVALID", ""),
        (
            {"executor": {"unpacked_api": True}},
            "/executor/unpacked_api",
            "OPTION_UNKNOWN",
            "unpacked-api",
        ),
        ({"executor": {"kind": "aot", "x": 1}}, "/executor/x", "OPTION_UNKNOWN", ""),
        ({"flow": {"link_params": None}}, "/flow/link_params", "OPTION_UNKNOWN", "link-params"),
        ({"hardware": {"core": 1}}, "/hardware/core", "OPTION_UNKNOWN", "cores"),
    ],
)
def test_a_mixin_that_matches_no_kind_is_rejected(
    patch: Json, pointer: str, code: str, near: str
) -> None:
    result = faults(patch)
    if pointer:
        assert result[pointer].code == code
        assert result[pointer].suggestions[:1] == ((near,) if near else ())


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ({"kind": "llvm"}, {"llvm"}),
        ({"kind": "composite", "devices": ["cuda"], "host": "c"}, {"composite", "cuda", "c"}),
        ({"kind": "c", "executor": "vm", "runtime": "cpp"}, {"c", "executor/vm", "runtime/cpp"}),
        ({"kind": "c", "flow": {}, "hardware": {}}, {"c", "flow", "hardware"}),
    ],
)
def test_check_returns_the_kinds_of_all_nodes(body: Json, fits: set[str]) -> None:
    assert check_target(target_of(body), KINDS) == fits


def test_without_kinds_every_kind_is_unknown() -> None:
    none = Kinds([Kind("flow", 1, KINDS["flow"].source)])
    assert refusal(lambda: check_target({"kind": "c"}, none)).faults[0].code == Code.KIND_UNKNOWN


@pytest.mark.parametrize("role", ["flow", "hardware"])
@pytest.mark.parametrize("body", [{"kind": "c"}, {}], ids=["target", "mixin"])
def test_without_a_kind_that_describes_them_options_are_refused(role: str, body: Json) -> None:
    assert isinstance(body, dict)
    refused = refusal(lambda: check_target({**body, role: {"x.y": 1}}, Kinds([])))
    assert f"/{role}" in {
        fault.pointer for fault in refused.faults if fault.code == Code.KIND_UNKNOWN
    }


@pytest.mark.parametrize(
    ("patch", "pointer"),
    [
        ({"num-cores": 4}, ""),
        ({"nonsense": [{"x": 1}]}, ""),
        ({"host": {"mcpu": "native"}}, "/host"),
        ({"devices": {"gpu": {"arch": "sm_90"}}}, "/devices/gpu"),
        ({"executor": {"link-params": True}}, "/executor"),
        ({"runtime": {"system-lib": None}}, "/runtime"),
    ],
)
def test_without_kinds_the_options_of_a_mixin_are_refused(patch: Json, pointer: str) -> None:
    refused = refusal(lambda: check_target(patch, Kinds([])))
    assert [(fault.pointer, fault.code) for fault in refused.faults] == [
        (pointer, Code.KIND_UNKNOWN)
    ]


def test_a_mixin_without_options_needs_no_kinds() -> None:
    assert check_target({"host": {}}, Kinds([])) == frozenset()


def test_a_package_is_the_target_itself_and_not_a_kind_around_it() -> None:
    package: dict[str, Json] = {
        "host": {"kind": "llvm"},
        "executor": {"kind": "vm"},
        "runtime": {"kind": "cpp"},
    }
    assert target_of({"kind": "cuda", **package}) == {"kind": "cuda", **package}
    around: Json = {"kind": "packaged", "target": {"kind": "cuda"}, "executor": "vm"}
    assert faults(around)["/kind"].code == "KIND_UNKNOWN"
