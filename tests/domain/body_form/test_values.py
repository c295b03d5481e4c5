"""Conversion of single values to text and back."""

from typing import Any

import pytest

from registry.domain.body_form.fields import Field, Widget
from registry.domain.body_form.values import (
    UnreadableInput,
    format_value,
    is_identical,
    parse_value,
)

POWER = Field("/x", "x", Widget.NUMBER, {"type": "number", "x-unit": "W"})
SIZE = Field("/x", "x", Widget.INTEGER, {"type": "integer", "x-unit": "bytes"})
SIZES = Field("/x", "x", Widget.INTEGERS, {"type": "array", "x-unit": "bytes"})
SOURCES = Field(
    "/x",
    "x",
    Widget.NAMED_LINES,
    {"patternProperties": {"^(all|memory)$": {"type": "array"}}},
)
WARP = Field("/x", "x", Widget.CHOICE, {"enum": [1, 32, "all"]})


def of(widget: Widget) -> Field:
    return Field("/x", "x", widget)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (of(Widget.TEXT), "sm_53", "sm_53"),
        (SIZE, "0", 0),
        (SIZE, "-7", -7),
        (SIZE, "9007199254740991", 9007199254740991),
        (POWER, "4.0", 4.0),
        (POWER, "4", 4),
        (POWER, "0.5", 0.5),
        (of(Widget.SWITCH), "true", True),
        (of(Widget.SWITCH), "false", False),
        (WARP, "32", 32),
        (WARP, "all", "all"),
        (of(Widget.LIST), "+neon, -fp16", ["+neon", "-fp16"]),
        (of(Widget.LIST), "cpu", ["cpu"]),
        (of(Widget.LINES), "https://a/b,c\nhttps://d", ["https://a/b,c", "https://d"]),
        (SIZES, "4294967296\n8589934592", [4294967296, 8589934592]),
        (SOURCES, "https://a", {"all": ["https://a"]}),
        (SOURCES, "https://a\nmemory: https://b", {"all": ["https://a"], "memory": ["https://b"]}),
        (of(Widget.PARENTS), "arm/soc@1", "arm/soc@1"),
        (of(Widget.PARENTS), "arm/soc@1\nmicro/aot@1", ["arm/soc@1", "micro/aot@1"]),
        (of(Widget.TARGET), "arm/soc@1", "arm/soc@1"),
        (of(Widget.NODE), "llvm", "llvm"),
        (of(Widget.NODE), '{"kind": "llvm"}', {"kind": "llvm"}),
        (of(Widget.JSON), "[1, 2.0, null]", [1, 2.0, None]),
        (of(Widget.JSON), "null", None),
    ],
)
def test_values_round_trip(field: Field, text: str, value: Any) -> None:
    assert is_identical(parse_value(field, text), value)
    assert format_value(field, value) == text


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (of(Widget.TEXT), " sm_53\r\n", "sm_53"),
        (SIZE, " 12 ", 12),
        (POWER, "1e3", 1000.0),
        (POWER, "15 W", 15),
        (POWER, "750mW", 0.75),
        (SIZE, "48 KiB", 49152),
        (SIZE, "1.5 GB", 1500000000),
        (of(Widget.LIST), "+neon,\r\n +fp16,,", ["+neon", "+fp16"]),
        (of(Widget.LINES), "https://a\r\n\r\n https://b ", ["https://a", "https://b"]),
        (SIZES, " 4 GiB\r\n\r\n8 GiB", [4294967296, 8589934592]),
        (of(Widget.PARENTS), "  arm/soc@1  micro/aot@1 ", ["arm/soc@1", "micro/aot@1"]),
        (
            SOURCES,
            "memory:https://b\r\n\r\n all: https://a ",
            {"memory": ["https://b"], "all": ["https://a"]},
        ),
    ],
)
def test_other_spellings_are_read(field: Field, text: str, value: Any) -> None:
    assert is_identical(parse_value(field, text), value)
    assert is_identical(parse_value(field, format_value(field, value)), value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (of(Widget.TEXT), " sm_53"),
        (of(Widget.TEXT), ""),
        (of(Widget.TEXT), "a\nb"),
        (of(Widget.TEXT), 53),
        (of(Widget.TEXT), None),
        (SIZE, 4.0),
        (SIZE, True),
        (SIZE, "4"),
        (POWER, None),
        (of(Widget.SWITCH), "true"),
        (of(Widget.SWITCH), 1),
        (WARP, 2),
        (WARP, "32"),
        (of(Widget.LIST), []),
        (of(Widget.LIST), ["a,b"]),
        (of(Widget.LIST), ["a", 1]),
        (of(Widget.LIST), "a"),
        (of(Widget.LIST), {"$append": ["a"]}),
        (SIZES, [4.0]),
        (SIZES, [True]),
        (SIZES, ["4"]),
        (SIZES, []),
        (SIZES, {"$append": [4]}),
        (SOURCES, {"memory": {"$append": ["https://a"]}}),
        (SOURCES, {"cores": ["https://a"]}),
        (SOURCES, {}),
        (of(Widget.PARENTS), ["arm/soc@1"]),
        (of(Widget.TARGET), {"kind": "llvm"}),
        (of(Widget.NODE), "{"),
    ],
)
def test_values_that_a_field_cannot_contain_are_left_to_json(field: Field, value: Any) -> None:
    assert format_value(field, value) == ""


@pytest.mark.parametrize(
    ("field", "text", "message", "meant"),
    [
        (SIZE, "twelve", '"twelve" is not an integer', ()),
        (SIZE, "1e3", '"1e3" is not an integer', ("1000",)),
        (SIZE, "007", '"007" is not an integer', ("7",)),
        (SIZE, "4.0", '"4.0" is not an integer', ("4",)),
        (SIZE, "4.5", '"4.5" is not an integer', ()),
        (SIZE, "49,152", '"49,152" is not an integer', ("49152",)),
        (SIZES, "4 GiB, 8 GiB", '"4 GiB, 8 GiB" is not an integer', ()),
        (SIZES, "4\n49,152", '"49,152" is not an integer', ("49152",)),
        (SIZES, "4 GiB\n8 KB", '"8 KB" can be read in several ways', ("8 kB", "8 KiB")),
        (SIZE, "48 KB", '"48 KB" can be read in several ways', ("48 kB", "48 KiB")),
        (SIZE, "0.3 KiB", "0.3 KiB is 307.2 bytes", ()),
        (SIZE, "9000 PiB", "10133099161583616000 is beyond ±(2^53-1)", ()),
        (SIZE, "\uff11\uff12", '"\uff11\uff12" is not an integer', ("12",)),
        (SIZE, "+5", '"+5" is not an integer', ("5",)),
        (SIZE, "-0", '"-0" is not an integer', ("0",)),
        (SIZE, "1e999999999", '"1e999999999" is not an integer', ()),
        (SIZE, "nan", '"nan" is not an integer', ()),
        (SIZE, "9007199254740992", "9007199254740992 is beyond ±(2^53-1)", ()),
        (SIZE, "9" * 5000, f"{'9' * 119}… is beyond ±(2^53-1)", ()),
        (POWER, "15 V", '"15 V" is not in W', ()),
        (POWER, "1,5", '"1,5" is not a number', ()),
        (POWER, ".5", '".5" is not a number', ("0.5",)),
        (POWER, "Infinity", '"Infinity" is not a number', ()),
        (POWER, "1e999", "the number is not finite", ()),
        (of(Widget.SWITCH), "yes", '"yes" is not one of true, false', ()),
        (WARP, "al", '"al" is not one of 1, 32, all', ("all",)),
        (SOURCES, "memroy: https://a", '"memroy" is not one of all, memory', ("memory",)),
        (SOURCES, "memory: https://a\tb", "U+0009 is not allowed here", ()),
        (of(Widget.TEXT), "a\0b", "U+0000 is not allowed here", ()),
        (of(Widget.TEXT), "a\nb", "a line break is not allowed here", ()),
        (of(Widget.TEXT), "a\u202eb", "U+202E is not allowed here", ()),
        (of(Widget.LIST), "a, b\tc", "U+0009 is not allowed here", ()),
        (of(Widget.TARGET), '{"kind": "llvm"}', "this is not a name", ()),
        (of(Widget.NODE), '{"kind": "llvm", "kind": "c"}', "the key kind occurs twice", ()),
    ],
)
def test_errors_state_the_expected_form(
    field: Field, text: str, message: str, meant: tuple[str, ...]
) -> None:
    with pytest.raises(UnreadableInput) as caught:
        parse_value(field, text)
    fault = caught.value.fault
    assert (fault.message, fault.suggestions) == (message, meant)
    assert fault.pointer == "/x"
    assert fault.expected
    assert fault.found


def test_invalid_json_is_reported_with_its_position() -> None:
    with pytest.raises(UnreadableInput, match="line 2, column 3"):
        parse_value(of(Widget.JSON), "{\n  a: 1}")


def test_errors_of_numbers_name_the_unit() -> None:
    with pytest.raises(UnreadableInput) as caught:
        parse_value(SIZE, "much")
    expected = "digits only, in bytes, or with its unit as in 4 GiB"
    assert caught.value.fault.expected == expected
