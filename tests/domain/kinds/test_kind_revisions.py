"""Changes between two revisions of a kind."""

from typing import Any

import pytest

from registry.domain.kinds.kind_revisions import (
    Aspect,
    OptionChange,
    compare_schemas,
    schema_problems,
)
from registry.services.core import shipped_facts

OPTION = {"type": "integer", "x-consumers": ["codegen"], "x-affects-tuning": True}


def schema(**changed: Any) -> dict[str, Any]:
    """Return a kind with one option `cores`, with some keywords replaced, or removed by None."""
    option = {**OPTION, "minimum": 1, "maximum": 64, "default": 4, **changed}
    kept = {keyword: value for keyword, value in option.items() if value is not None}
    return of({"cores": kept})


def of(options: dict[str, Any], **keywords: Any) -> dict[str, Any]:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    closed = {"$schema": dialect, "type": "object", "additionalProperties": False}
    return {**closed, "properties": options, **keywords}


@pytest.mark.parametrize(
    ("changed", "aspect", "old", "new"),
    [
        ({"type": "number"}, Aspect.TYPE, "type integer", "type number"),
        ({"enum": [1, 2]}, Aspect.TYPE, "", "enum [1, 2]"),
        ({"maximum": 32}, Aspect.RANGE, "maximum 64", "maximum 32"),
        ({"minimum": None, "maximum": 9}, Aspect.RANGE, "minimum 1, maximum 64", "maximum 9"),
        ({"default": None}, Aspect.DEFAULT, "4", ""),
        (
            {"x-derived-default": {"value": 3}},
            Aspect.DEFAULT,
            "",
            'x-derived-default {"value": 3}',
        ),
        ({"x-consumers": ["codegen", "tuning"]}, Aspect.CONSUMERS, "codegen", "codegen, tuning"),
        ({"x-affects-tuning": "unknown"}, Aspect.TUNING, "true", "unknown"),
        ({"x-host-dependent": [None]}, Aspect.TUNING, "", "x-host-dependent [null]"),
        ({"description": "Cores."}, Aspect.DOCUMENTATION, "", "description Cores."),
    ],
)
def test_each_aspect_of_an_option_is_reported_separately(
    changed: dict[str, Any], aspect: Aspect, old: str, new: str
) -> None:
    assert compare_schemas(schema(), schema(**changed)) == (
        OptionChange("cores", aspect, old, new),
    )


def test_several_aspects_of_one_option_are_several_changes() -> None:
    differences = compare_schemas(schema(), schema(default=1, maximum=8))
    assert [change.aspect for change in differences] == [Aspect.RANGE, Aspect.DEFAULT]


def test_added_and_removed_options_are_in_natural_order() -> None:
    differences = compare_schemas(
        of({"m9": OPTION, "gone": OPTION}), of({"m9": OPTION, "m10": OPTION})
    )
    assert [str(change) for change in differences] == [
        "option gone removed: type integer",
        "option m10 added: type integer",
    ]


def test_options_matched_by_a_pattern_are_compared() -> None:
    differences = compare_schemas(of({}), of({}, patternProperties={"^a\\.": OPTION}))
    assert [(change.option, change.aspect) for change in differences] == [("^a\\.", Aspect.ADDED)]


def test_changes_to_the_kind_as_a_whole_come_first() -> None:
    old = of({"a": OPTION}, **{"x-keys": ["cpu"], "title": "old"})
    new = of({}, **{"x-keys": ["gpu", "cuda"], "required": ["a"]})
    assert [str(change) for change in compare_schemas(old, new)] == [
        "the kind, type: nothing becomes required a",
        "the kind, affects tuning: x-keys cpu becomes x-keys gpu, cuda",
        "the kind, documentation: title old becomes nothing",
        "option a removed: type integer",
    ]


def test_true_differs_from_one_and_key_order_does_not_matter() -> None:
    assert compare_schemas(schema(default=1), schema(default=True))
    turned = dict(reversed(schema()["properties"]["cores"].items()))
    assert compare_schemas(schema(), of({"cores": turned})) == ()


@pytest.mark.parametrize("name", ["llvm", "cuda_host", "executor/aot", "runtime/cuda-graph"])
def test_valid_kind_names_are_accepted(name: str) -> None:
    assert list(schema_problems(name, schema())) == []


@pytest.mark.parametrize(
    "name", ["", "Llvm", "a b", "9p", "a/b", "executor/", "executor/a/b", "a" * 65, "llvm\n"]
)
def test_invalid_kind_names_are_rejected(name: str) -> None:
    (problem,) = schema_problems(name, schema())
    assert "is not a valid kind name" in problem


def test_shipped_kinds_have_no_problems() -> None:
    differences = {
        name: list(schema_problems(name, source)) for name, source in shipped_facts.kinds().items()
    }
    assert {name: reason for name, reason in differences.items() if reason} == {}


@pytest.mark.parametrize("group", [{}, {"x-group": 4}])
def test_hardware_facts_have_a_group(group: dict[str, Any]) -> None:
    (problem,) = schema_problems("hardware", schema(**group))
    assert problem.endswith("does not state its group (x-group)")
    assert list(schema_problems("hardware", schema(**{"x-group": "counts"}))) == []
    assert list(schema_problems("good", schema(**group))) == []


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (schema(default=float("inf")), "cannot be stored as canonical JSON"),
        (schema(**{"x-derived-default": 4}), 'not {"value", "where"}'),
        (schema(**{"x-derived-default": {"value": 4, "where": []}}), 'not {"value", "where"}'),
        (schema(**{"x-consumers": [1]}), "consumers that are not strings"),
        (of({}, **{"x-keys": "cpu"}), "x-keys is not a list"),
        (schema(**{"x-host-dependent": [1]}), "x-host-dependent that is not a list"),
        (of([]), "does not compile"),  # type: ignore[arg-type]
    ],
)
def test_misleading_schemas_are_rejected(source: dict[str, Any], reason: str) -> None:
    (problem,) = schema_problems("good", source)
    assert reason in problem
