import hashlib
import json
import math
import struct
from collections.abc import Callable
from datetime import date, time
from typing import Any
from uuid import UUID

import pytest
import rfc8785
from hypothesis import given, strategies as st

from registry.domain.document import Json, canonical, digest, is_same_json, parse_json
from tests.domain.builders import reordered
from tests.domain.strategies import documents

# RFC 8785, appendix B: the bits of a double, and how it is written.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_of_rfc_8785(bits: str, text: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number) == text.encode()


@given(documents)
def test_every_document_is_written_as_the_reference_implementation_does(document: Json) -> None:
    assert canonical(document) == rfc8785.dumps(document)


@pytest.mark.parametrize("text", [chr(code) for code in range(128)])
def test_every_ascii_character_is_escaped_as_rfc_8785_says(text: str) -> None:
    assert canonical({text: [text]}) == rfc8785.dumps({text: [text]})


@pytest.mark.parametrize(
    "value",
    [
        *(2**53, -(2**53), {1: 2}, {"a": object()}, b"x", "\ud800"),
        *(math.nan, [math.inf], {"a": {"b": [None, -math.inf]}}, {"a": date(2026, 1, 31)}),
        *(UUID(int=0), {"a": UUID(int=0)}, [time(1)]),
    ],
)
def test_values_without_a_canonical_form_raise(value: Any) -> None:
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical(value)


@pytest.mark.parametrize(
    "value",
    [
        *(1.0, -0.0, 1e16, 1e-7, [1.0], {"a": [{"b": 1e22}]}),  # orjson writes them in other ways
        *({"\U0001f600": 1, "\uffff": 2}, {"a": {"\U0001f600": [], "\ufb33": {}}}),  # sorts them
        *(2**53 - 1, -(2**53) + 1, True, None, "", "\u2028\x7f\x00", [[]], {}, [None, [False]]),
        *((1, 2), {"a": (1, None)}),
    ],
)
def test_what_orjson_may_write_otherwise_is_written_canonically(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_sorting_example_of_rfc_8785() -> None:
    names: Json = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    written = json.loads(canonical(names))
    assert list(written) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_structure_example_of_rfc_8785() -> None:
    text = (
        '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],'
        '"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",'
        '"literals": [null, true, false]}'
    )
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    assert canonical(json.loads(text)) == expected.encode()


@given(documents)
def test_canonical_bytes_round_trip(document: Json) -> None:
    data = canonical(document)
    assert parse_json(data) == document
    assert canonical(parse_json(data)) == data


@given(documents)
def test_key_order_does_not_matter(document: Json) -> None:
    backwards: Callable[[list[str]], list[str]] = lambda keys: keys[::-1]  # noqa: E731
    assert canonical(reordered(document, backwards)) == canonical(document)


def test_a_digest_names_its_algorithm() -> None:
    assert digest(b"{}") == "sha256:" + hashlib.sha256(b"{}").hexdigest()


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (True, 1, False),
        (False, 0, False),
        (1, True, False),
        (None, False, False),
        (0, None, False),
        ("1", 1, False),
        (1, 1.0, True),
        (-0.0, 0, True),
        ([1, True], [1.0, True], True),
        ([1], [True], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({}, [], False),
        ([], {}, False),
        ("", None, False),
    ],
)
def test_equality_of_json_values(left: Json, right: Json, equal: bool) -> None:
    assert is_same_json(left, right) == equal
    assert is_same_json(right, left) == equal


@given(documents, st.one_of(documents, st.none()))
def test_equal_values_have_equal_canonical_bytes(left: Json, right: Json) -> None:
    assert is_same_json(left, right) == (canonical(left) == canonical(right))
    assert is_same_json(left, left)
