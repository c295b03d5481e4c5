from typing import Any

import pytest
from hypothesis import given

from registry.domain.kinds.kinds import COMMON_OPTIONS, Kind, Kinds, Option
from tests.domain.builders import KINDS
from tests.domain.strategies import patches
from ttag_rules.pointer import child


@pytest.mark.parametrize(
    ("name", "role", "word"),
    [
        ("llvm", "target", "llvm"),
        ("executor/aot", "executor", "aot"),
        ("runtime/crt", "runtime", "crt"),
        ("flow", "flow", "flow"),
        ("hardware", "hardware", "hardware"),
    ],
)
def test_the_role_comes_from_the_name(name: str, role: str, word: str) -> None:
    assert (KINDS[name].role, KINDS[name].word) == (role, word)


def test_kinds_by_role() -> None:
    assert set(KINDS.executors) == {"aot", "graph", "vm"}
    assert set(KINDS.runtimes) == {"cpp", "crt", "cuda-graph"}
    assert set(KINDS.components("executor")) == set(KINDS.executors)
    assert set(KINDS.components("runtime")) == set(KINDS.runtimes)
    assert {"llvm", "composite", "byoc"} <= set(KINDS.targets)
    assert len(KINDS) == len(KINDS.targets) + 3 + 3 + 2
    assert not {"aot", "flow", "hardware"} & set(KINDS.targets)


def test_every_target_kind_has_the_common_options() -> None:
    for kind in KINDS.targets.values():
        assert set(COMMON_OPTIONS) | {"kind"} <= set(kind.options)
    assert "model" not in KINDS["executor/aot"].options


@pytest.mark.parametrize(
    ("annotations", "affects", "annotation"),
    [
        ({"x-consumers": ["codegen"], "x-affects-tuning": True}, True, False),
        ({"x-consumers": ["codegen"], "x-affects-tuning": False}, False, False),
        ({"x-consumers": ["annotation"], "x-affects-tuning": "unknown"}, True, True),
        ({"x-consumers": ["annotation", "runtime"], "x-affects-tuning": False}, False, False),
        ({}, True, True),
    ],
)
def test_an_option_of_unknown_effect_affects_tuning(
    annotations: dict[str, Any], affects: bool, annotation: bool
) -> None:
    option = Option.of("x", annotations)
    assert (option.affects_tuning, option.is_annotation) == (affects, annotation)


@pytest.mark.parametrize(
    ("name", "unlisted"),
    [
        ("link-params", False),
        ("tir.disable_vectorize", False),
        ("a.b-c.d_e", True),
        ("relax.x", True),
    ],
)
def test_flow_settings_are_found_by_name_or_pattern(name: str, unlisted: bool) -> None:
    option = KINDS["flow"].option(name)
    assert option
    assert (option.name, option.is_unlisted) == (name, unlisted)


@pytest.mark.parametrize("name", ["", "undotted", "a.", ".a", "a..b", "a.b\n", "a.b c", "\xe9.b"])
def test_other_names_are_not_flow_settings(name: str) -> None:
    assert KINDS["flow"].option(name) is None


@given(patches())
def test_a_patch_is_accepted_iff_it_has_no_faults(patch: dict[str, Any]) -> None:
    own = {key: value for key, value in patch.items() if key in COMMON_OPTIONS}
    for candidate in (own, {**own, "mcpu": "x"}, {**own, "zz": None}, {**own, "num-cores": 4.0}):
        for kind in KINDS.targets.values():
            assert kind.accepts_patch(candidate) == (not kind.patch_faults(candidate, ""))


def test_an_integral_float_is_a_fault_at_any_depth() -> None:
    inner = {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/count"}},
        "additionalProperties": {"type": "integer"},
    }
    marks = {"x-consumers": ["codegen"], "x-affects-tuning": True}
    lists = {"type": "array", "items": inner, **marks}
    schema = {
        "type": "object",
        "properties": {"a": {**inner, **marks}, "b": lists},
        "additionalProperties": False,
    }
    kind = Kind("mine", 1, schema)
    value: dict[str, Any] = {"kind": "mine", "a": {"n": 1.0, "m": 2.0}, "b": [{"n": 3}, {"o": 4.0}]}
    result = {fault.pointer: fault.found for fault in kind.faults(value, child("", "x"))}
    assert result == {"/x/a/n": "1.0", "/x/a/m": "2.0", "/x/b/1/o": "4.0"}


def test_required_options_of_the_schema_are_required() -> None:
    kinds = Kinds([Kind("byoc", 1, KINDS["byoc"].source)])
    assert [f.message for f in kinds["byoc"].faults({"kind": "byoc"}, "")] == [
        "the option codegen is missing"
    ]
    assert [f.expected for f in kinds["byoc"].faults({"codegen": "x"}, "")] == ["kind"]
    assert list(kinds) == ["byoc"]


def test_kinds_for_tests_are_not_offered() -> None:
    assert "test" in KINDS.targets
    assert KINDS.offered == sorted({*KINDS.targets} - {"test"})
