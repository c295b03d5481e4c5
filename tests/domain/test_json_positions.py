"""Lines and columns of JSON pointers."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from registry.domain.errors import TextPosition
from registry.domain.json_positions import find_positions
from ttag_rules.pointer import child

TEXT = """{
  "kind": "cuda",
  "mattr": ["+sse", "+avx"],
  "a/b~c": {"": 1},
  "host": {"kind": "llvm"}
}"""


@pytest.mark.parametrize(
    ("pointer", "line", "column"),
    [
        ("", 1, 1),
        ("/kind", 2, 3),
        ("/mattr", 3, 3),
        ("/mattr/0", 3, 13),
        ("/mattr/1", 3, 21),
        ("/a~1b~0c", 4, 3),
        ("/a~1b~0c/", 4, 13),
        ("/host/kind", 5, 12),
    ],
)
def test_a_member_is_located_at_its_key_and_an_item_at_its_value(
    pointer: str, line: int, column: int
) -> None:
    assert find_positions(TEXT, [pointer]) == {pointer: TextPosition(line, column)}


@pytest.mark.parametrize(
    ("pointer", "nearest"),
    [
        ("/host/mcpu", "/host"),
        ("/mattr/7", "/mattr"),
        ("/nothing/at/all", ""),
        ("/kind/deeper", "/kind"),
        ("no pointer", ""),
        ("/bad~escape", ""),
    ],
)
def test_an_unknown_pointer_is_located_at_its_nearest_enclosing_value(
    pointer: str, nearest: str
) -> None:
    positions = find_positions(TEXT, [pointer, nearest])
    assert positions[pointer] == positions[nearest]


def test_a_duplicate_key_is_located_at_its_last_occurrence() -> None:
    assert find_positions('{"a": 1,\n"a": 2}', ["/a"]) == {"/a": TextPosition(2, 1)}


def test_crlf_line_ends_count_once() -> None:
    assert find_positions('{\r\n"a": 1,\r\n "b": 2}', ["/b"]) == {"/b": TextPosition(3, 2)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a"',
        '{"a": ',
        '{"a": 1, }',
        "]",
        ",",
        "{a: 1}",
        '{"a": 1 "b": 2}',
        '"',
        "\\",
        "{1:2}",
    ],
)
def test_invalid_json_is_read_up_to_the_error(text: str) -> None:
    positions = find_positions(text, ["", "/a", "/b/c"])
    assert set(positions) == {"", "/a", "/b/c"}


@pytest.mark.parametrize("unit", ["[", '{"a":', "[[1],"])
def test_deep_nesting_is_fast(unit: str) -> None:
    deep = "/0" * 5000
    assert find_positions(unit * 20_000, [deep, "/a" * 5000])[deep].line == 1


def _pointers(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    yield pointer, value
    members = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else ()
    for name, inner in (*members, *items):
        yield from _pointers(inner, child(pointer, name))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 1]), st.booleans())
def test_the_value_of_a_pointer_is_at_its_position(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    lines = text.split("\n")
    values_by_pointer = dict(_pointers(value))
    for pointer, place in find_positions(text, values_by_pointer).items():
        rest = "\n".join([lines[place.line - 1][place.column - 1 :], *lines[place.line :]])
        read, end = json.JSONDecoder().raw_decode(rest)
        if rest[end:].lstrip().startswith(":"):  # its key
            read, _ = json.JSONDecoder().raw_decode(rest[end:].lstrip()[1:].lstrip())
        assert json.dumps(read) == json.dumps(values_by_pointer[pointer])
