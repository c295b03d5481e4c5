"""Errors about names name what is meant."""

from typing import Any

import pytest

from registry.domain.checks.checks import check_target
from registry.domain.document import Json
from registry.domain.errors import Code, Fault
from registry.domain.kinds.kinds import EXECUTOR, RUNTIME, TARGET
from registry.domain.tvm.name_hints import KIND_HINTS, OPTION_HINTS
from tests.domain.builders import KINDS, refusal, target_of
from ttag_rules.nodes import STRUCTURE

KNOWN = {TARGET: KINDS.targets, EXECUTOR: KINDS.executors, RUNTIME: KINDS.runtimes}


def fault(body: Json) -> Fault:
    (first, *_) = refusal(lambda: check_target(target_of(body), KINDS)).faults
    return first


@pytest.mark.parametrize(
    ("body", "pointer", "expected", "suggestions"),
    [
        ({"kind": "platform"}, "/kind", "composite, a target of several devices", ("composite",)),
        (
            {"kind": "cuda", "host": "x86"},
            "/host/kind",
            'llvm with a triple, such as {"kind": "llvm", "mtriple": "x86_64-linux-gnu"}, or a tag',
            ("llvm",),
        ),
        (
            {"kind": "c", "runtime": "vm"},
            "/runtime/kind",
            "a runtime: cpp, crt or cuda-graph; this is an executor",
            ("executor",),
        ),
        (
            {"kind": "c", "executor": "crt"},
            "/executor/kind",
            "an executor: aot, graph or vm; this is a runtime",
            ("runtime",),
        ),
        ({"kind": "c", "runtime": "c++"}, "/runtime/kind", "cpp", ("cpp",)),
        ({"kind": "GPU"}, "/kind", "cuda, rocm, metal, vulkan or opencl", None),
        ({"kind": "tensorrt"}, "/kind", "a byoc with codegen tensorrt", ()),
    ],
    ids=str,
)
def test_word_for_a_kind_names_what_is_meant(
    body: Json, pointer: str, expected: str, suggestions: tuple[str, ...] | None
) -> None:
    actual = fault(body)
    assert (actual.pointer, actual.code, actual.expected) == (pointer, Code.KIND_UNKNOWN, expected)
    if suggestions is not None:
        assert actual.suggestions == suggestions


def test_typing_errors_of_kinds_still_suggest_similar_names() -> None:
    assert fault({"kind": "vulcan"}).suggestions == ("vulkan",)
    assert fault({"kind": "vulcan"}).expected.startswith("one of byoc, c, ")


@pytest.mark.parametrize("word", ["tset", "tests", "nope", 4])
def test_the_kind_of_tvms_own_tests_is_offered_to_nobody(word: Any) -> None:
    actual = fault({"kind": word})
    assert "test" not in actual.expected.removeprefix("one of ").split(", ")
    assert "test" not in actual.suggestions
    assert check_target(target_of({"kind": "test"}), KINDS) is not None, "who has it keeps it"


@pytest.mark.parametrize("value", [4, True, ["llvm"], {}])
def test_a_kind_that_is_no_text_lists_the_kinds(value: Any) -> None:
    actual = fault({"kind": "composite", "devices": [{"kind": "c", "executor": {"kind": value}}]})
    assert actual.expected == "one of aot, graph, vm"


@pytest.mark.parametrize(
    ("body", "pointer", "suggestion"),
    [
        ({"kind": "llvm", "triple": "x86_64-linux-gnu"}, "/triple", "mtriple"),
        ({"kind": "llvm", "features": ["+avx2"]}, "/features", "mattr"),
        ({"kind": "llvm", "threads": 4}, "/threads", "num-cores"),
        ({"kind": "cuda", "target_host": "llvm"}, "/target_host", "host"),
        ({"kind": "llvm", "link-params": True}, "/link-params", "flow"),
        ({"kind": "llvm", "unpacked-api": True}, "/unpacked-api", "executor"),
        ({"kind": "llvm", "system-lib": True}, "/system-lib", "runtime"),
        ({"features": ["+avx2"]}, "/features", "mattr"),
    ],
    ids=str,
)
def test_word_for_an_option_names_what_is_meant(body: Json, pointer: str, suggestion: str) -> None:
    actual = fault(body)
    assert (actual.pointer, actual.code) == (pointer, "OPTION_UNKNOWN")
    assert actual.suggestions[0] == suggestion


def test_option_that_the_kind_does_not_have_is_not_suggested() -> None:
    assert "mcpu" not in fault({"kind": "metal", "cpu": "m1"}).suggestions


@pytest.mark.parametrize("role", [TARGET, EXECUTOR, RUNTIME])
def test_hints_suggest_names_that_exist(role: str) -> None:
    for word, hint in KIND_HINTS[role].items():
        assert word not in KNOWN[role], word
        assert set(hint.suggestions) <= {*KNOWN[role], EXECUTOR, RUNTIME}, word


def test_hints_for_options_suggest_names_that_exist() -> None:
    options = {name for kind in KINDS.targets.values() for name in kind.options}
    assert set(OPTION_HINTS.values()) <= options | STRUCTURE
