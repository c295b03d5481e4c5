# ruff: noqa: E501 - tables read best in rows
"""Valid and invalid schemas of kinds."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.kinds.schema import (
    DEFS,
    DIALECT,
    MAX_APPLICATORS,
    MAX_OPTIONS,
    compile_schema,
    kind_schema_problems,
    schema_faults,
)
from tests.domain.builders import KINDS
from tests.domain.strategies import documents

MARKS = {"x-consumers": ["codegen"], "x-affects-tuning": True}


def schema(**keywords: Any) -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "type": "object",
        "properties": {},
        "additionalProperties": False,
        **keywords,
    }


def option(**keywords: Any) -> dict[str, Any]:
    return schema(properties={"a": {**MARKS, **keywords}})


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_shipped_kind_is_valid(name: str) -> None:
    assert list(kind_schema_problems(KINDS[name].source)) == []


@pytest.mark.parametrize("name", sorted(DEFS))
def test_the_registrys_own_definitions_can_be_referenced(name: str) -> None:
    assert list(kind_schema_problems(option(**{"$ref": f"#/$defs/{name}"}))) == []


def deep(levels: int, keyword: str) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(levels - 1):
        inner = {keyword: [inner] if keyword in ("allOf", "prefixItems") else inner}
    return option(**inner)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ({}, "$schema"),
        ({**schema(), "$schema": "http://json-schema.org/draft-07/schema#"}, "$schema"),
        (schema(type="array"), "closed object"),
        (schema(additionalProperties=True), "closed object"),
        (schema(additionalProperties={}), "closed object"),
        (schema(properties=[]), "does not compile"),
        (schema(properties={"a": 5}), "does not compile"),
        (schema(required="a"), "does not compile"),
        (schema(properties={"a": {}}), "a does not state its consumers"),
        (schema(properties={"a": True}), "a does not state its consumers"),
        (option(**{"x-consumers": []}), "a does not state its consumers"),
        (option(**{"x-consumers": "codegen"}), "a does not state its consumers"),
        (option(**{"x-affects-tuning": None}), "a does not state whether it affects tuning"),
        (option(**{"x-affects-tuning": "yes"}), "a does not state whether it affects tuning"),
        (schema(patternProperties={"^a": {}}), "^a does not state its consumers"),
        (schema(properties={f"o{n}": MARKS for n in range(MAX_OPTIONS + 1)}), "201 options"),
        (option(**{"$ref": "https://example.org/schema.json"}), "not fetched"),
        (option(**{"$ref": "file:///etc/passwd"}), "not fetched"),
        (option(**{"$ref": "other.json"}), "does not compile"),
        (option(**{"$ref": "#/$defs/other"}), "does not compile"),
        (option(**{"$ref": "#"}), "# is not one of"),
        (option(items={"$ref": "#/properties/a"}), "#/properties/a is not one of"),
        (option(contains={"$ref": "#"}), "# is not one of"),
        (option(unevaluatedItems={"$ref": "#"}), "# is not one of"),
        (option(**{"$dynamicRef": "#"}), "# is not one of"),
        (schema(allOf=[{"if": {"$ref": "#"}}]), "# is not one of"),
        (option(pattern="("), "does not compile"),
        (option(pattern=r"(a)\1"), "does not compile"),
        (option(pattern="(?=a)a"), "does not compile"),
        (option(pattern="(a{1000}){1000}"), "does not compile"),
        *((deep(MAX_APPLICATORS + 1, word), "more than 4 deep") for word in ("items", "not", "contains", "allOf", "prefixItems", "propertyNames")),
    ],
)  # fmt: skip
def test_invalid_kind_schemas_are_rejected(source: dict[str, Any], problem: str) -> None:
    sentences = list(kind_schema_problems(source))
    assert any(problem in sentence for sentence in sentences), sentences
    assert all("\n" not in sentence for sentence in sentences)


@pytest.mark.parametrize("word", ["items", "not", "contains", "allOf", "prefixItems"])
def test_applicators_may_nest_four_deep(word: str) -> None:
    assert list(kind_schema_problems(deep(MAX_APPLICATORS, word))) == []


def test_the_maximum_number_of_options_is_accepted() -> None:
    source = schema(properties={f"o{n}": MARKS for n in range(MAX_OPTIONS)})
    assert list(kind_schema_problems(source)) == []


@given(
    st.dictionaries(
        st.sampled_from([*schema(), "allOf", "items", "required", "$ref", "$id"]), documents
    )
)
def test_any_json_object_can_be_checked(source: dict[str, Any]) -> None:
    assert all(isinstance(problem, str) for problem in kind_schema_problems({**schema(), **source}))


def test_remote_schemas_are_not_fetched() -> None:
    with pytest.raises(ValueError, match="not fetched"):
        compile_schema({"$ref": "https://example.org/schema.json"})


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*.*)*x"])
def test_patterns_run_in_linear_time(pattern: str) -> None:
    validator = compile_schema({"type": "string", "pattern": pattern})
    assert not validator.is_valid("a" * 20_000 + "!")


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        ("text", "a\n", False),
        ("text", "a" * 256, True),
        ("text", "a" * 257, False),
        ("features", ["+a"], True),
        ("features", ["+a\n"], False),
        ("features", ["+"], False),
        ("count", 0, True),
        ("count", 2**53, False),
        ("positive", 0, False),
        ("url", "https://x.org:80/a?b#c", True),
        ("url", "https://x.org/a b", False),
        ("url", "https://x.org/\n", False),
        ("url", "https://user@x.org/", False),
        ("url", "javascript:https://x.org", False),
    ],
)
def test_definitions_accept_and_reject_values(name: str, value: Any, valid: bool) -> None:
    assert compile_schema({"$ref": f"#/$defs/{name}", "$defs": DEFS}).is_valid(value) == valid


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"minLength": 2}, "x", "text of 2 characters or more"),
        ({"maxLength": 1}, "xy", "text of 1 characters or less"),
        ({"minItems": 1}, [], "a list of at least 1"),
        ({"maxItems": 1}, [1, 2], "a list of at most 1"),
        ({"uniqueItems": True}, [1, 1], "a list without repetition"),
        ({"multipleOf": 4}, 6, "a multiple of 4"),
        ({"exclusiveMinimum": 0}, 0, "more than 0"),
    ],
)
def test_bounds_are_described_in_words(
    schema: dict[str, Any], value: object, expected: str
) -> None:
    whole = {"type": "object", "properties": {"x": schema}}
    (fault,) = schema_faults(compile_schema(whole), whole, {"x": value}, "")
    assert (fault.pointer, fault.code) == ("/x", "VALUE_RANGE")
    assert fault.expected.replace("4.0", "4") == expected
