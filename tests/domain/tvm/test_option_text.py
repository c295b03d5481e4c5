"""Values of options on a command line."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import MAX_INTEGER, Json
from registry.domain.kinds.schema import DEFS
from registry.domain.tvm.command_line import Text, Unreadable
from registry.domain.tvm.option_text import format_option, option_schema, parse_option
from tests.domain.builders import KINDS

INTEGER, BOOLEAN, STRING = {"type": "integer"}, {"type": "boolean"}, {"type": "string"}
STRINGS = {"type": "array", "items": STRING}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("12", INTEGER, 12),
        ("12abc", INTEGER, 12),
        ("-3", INTEGER, -3),
        ("+3", INTEGER, 3),
        ("0x10", INTEGER, 0),
        ("1.9", INTEGER, 1),
        ("'  7 '", INTEGER, 7),
        ("0" * 5000 + "7", INTEGER, 7),
        ("9223372036854775807", INTEGER, 2**63 - 1),
        ("-9223372036854775808", INTEGER, -(2**63)),
        ("true", INTEGER, 1),
        ("False", INTEGER, 0),
        ("1", BOOLEAN, True),
        ("0", BOOLEAN, False),
        ("2", BOOLEAN, True),
        ("12abc", BOOLEAN, True),
        ("TRUE", BOOLEAN, True),
        ("fAlse", BOOLEAN, False),
        ("12", STRING, "12"),
        ("'  a b '", STRING, "a b"),
        ("''", STRING, ""),
        ("a,b", STRING, "a,b"),
        ("a", STRINGS, ["a"]),
        (",", STRINGS, []),
        ("''", STRINGS, []),
        ("a,,'b,c', d", STRINGS, ["a", "b,c", "d"]),
        (r"'+a,+b'", STRINGS, ["+a", "+b"]),
        (r"'\'a,b\''", STRINGS, ["a,b"]),
        ("1,2x", {"type": "array", "items": INTEGER}, [1, 2]),
        ("a", {"$ref": "#/$defs/text"}, "a"),
        ("a,b", {"$ref": "#/$defs/texts"}, ["a", "b"]),
    ],
)
def test_option_values_are_parsed(text: str, schema: dict[str, Any], value: Json) -> None:
    result = parse_option(Text.of(text), schema)
    assert (type(result), result) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "schema", "code", "message"),
    [
        ("abc", INTEGER, "VALUE_TYPE", "abc is not of type integer"),
        ("''", INTEGER, "VALUE_TYPE", "an empty text is not of type integer"),
        ("truly", INTEGER, "VALUE_TYPE", "truly is not of type integer"),
        ("٣", INTEGER, "VALUE_TYPE", "٣ is not of type integer"),
        ("yes", BOOLEAN, "VALUE_TYPE", "yes is not of type boolean"),
        ("9223372036854775808", INTEGER, "VALUE_RANGE", "9223372036854775808 is beyond 64 bits"),
        ("-9223372036854775809", INTEGER, "VALUE_RANGE", "-9223372036854775809 is beyond 64 bits"),
        ("9" * 5000, INTEGER, "VALUE_RANGE", "999"),
        ("a,'b", STRINGS, "QUOTE_OPEN", "the quote at character 2 is not closed"),
        ("a\\", STRING, "QUOTE_OPEN", r"the \ at character 1 escapes nothing"),
        ("1.5", {"type": "number"}, "VALUE_TYPE", "a command line cannot express a value of type"),
        ("{}", {"type": "object"}, "VALUE_TYPE", "a command line cannot express a value of type"),
        ("a", {"enum": ["a"]}, "VALUE_TYPE", "a command line cannot express a value of type any"),
    ],
)
def test_invalid_option_values_are_rejected(
    text: str, schema: dict[str, Any], code: str, message: str
) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_option(Text.of(text), schema)
    assert caught.value.fault.code == code
    assert caught.value.fault.message.startswith(message)


@pytest.mark.parametrize(
    ("value", "schema", "text"),
    [
        (True, BOOLEAN, "1"),
        (False, BOOLEAN, "0"),
        (4096, INTEGER, "4096"),
        ("sm_53", STRING, "sm_53"),
        ("a b", STRING, "'a b'"),
        ("it's", STRING, r"'it\'s'"),
        ("", STRING, "''"),
        (["+a", "+b"], STRINGS, "+a,+b"),
        ([], STRINGS, ","),
        (["a,b", "c"], STRINGS, r"'\'a,b\',c'"),
    ],
)
def test_option_values_are_formatted(value: Json, schema: dict[str, Any], text: str) -> None:
    assert format_option(value, schema) == text


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (" a", STRING),
        (["a "], STRINGS),
        (1.5, {"type": "number"}),
        ({"a": 1}, {"type": "object"}),
        ([{"a": 1}], {"type": "array", "items": {"type": "object"}}),
        (True, INTEGER),
        ("1", INTEGER),
    ],
)
def test_values_that_do_not_round_trip_are_not_formatted(
    value: Json, schema: dict[str, Any]
) -> None:
    assert format_option(value, schema) is None


@given(st.text())
def test_any_stripped_text_is_formatted(text: str) -> None:
    formatted = format_option(text, STRING)
    assert (
        formatted is None
        if text != text.strip(" ")
        else parse_option(Text.of(formatted or ""), STRING) == text
    )


@given(st.integers(-MAX_INTEGER, MAX_INTEGER))
def test_any_integer_is_formatted(number: int) -> None:
    assert format_option(number, INTEGER) == str(number)


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("mcpu", {"$ref": "#/$defs/text"}),
        ("link-params", {"type": "boolean"}),
        ("system-lib", {"type": "boolean"}),
        ("unpacked-api", {"type": "boolean"}),
        ("interface-api", {"type": "string"}),
        ("executor", {"type": "string"}),
        ("runtime", {"type": "string"}),
    ],
)
def test_moved_options_have_the_schema_of_their_new_owner(
    name: str, schema: dict[str, Any]
) -> None:
    result = option_schema(name, KINDS.targets["llvm"], KINDS)
    assert result is not None
    assert schema.items() <= result.items()


def test_an_unknown_option_has_no_schema() -> None:
    assert option_schema("mcpux", KINDS.targets["llvm"], KINDS) is None
    assert option_schema("workspace-byte-alignment", KINDS.targets["llvm"], KINDS) is None


@pytest.mark.parametrize("kind", sorted(KINDS.targets))
def test_every_option_of_the_catalogue_can_be_formatted(kind: str) -> None:
    for name, schema in KINDS.targets[kind].schema["properties"].items():
        described = DEFS[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        assert name == "kind" or described["type"] in ("boolean", "integer", "string", "array")
