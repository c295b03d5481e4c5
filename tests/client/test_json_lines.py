"""JSON that people have written: where its values stand, and what is wrong with it."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ttag.json_lines import JsonDocument

TEXT = """{
  "kind": "composite",
  "devices": [
    {"kind": "llvm",
     "a/b~c": "}{][,:"},
    "acme/board"
  ],
  "host": {}
}
"""
SCALARS = st.none() | st.booleans() | st.integers() | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/kind", 2),
        ("/devices", 3),
        ("/devices/0", 4),
        ("/devices/0/kind", 4),
        ("/devices/0/a~1b~0c", 5),
        ("/devices/1", 6),
        ("/host", 8),
        ("/host/mcpu", 8),
        ("/runtime", 1),
    ],
)
def test_value_stands_in_a_line(pointer: str, line: int) -> None:
    assert JsonDocument.parse(TEXT).line_of(pointer) == line


def test_document_without_lines_has_none() -> None:
    assert JsonDocument("llvm", {}).line_of("/mcpu") is None


def pointers(value: Any, pointer: str = "") -> set[str]:
    """Return the pointers of a value and of all values inside it."""
    members: dict[str, Any] = {}
    if isinstance(value, dict):
        members = {key.replace("~", "~0").replace("/", "~1"): item for key, item in value.items()}
    elif isinstance(value, list):
        members = {str(index): item for index, item in enumerate(value)}
    inner = [pointers(item, f"{pointer}/{key}") for key, item in members.items()]
    return {pointer}.union(*inner)


@given(VALUES)
def test_every_value_has_a_line(value: Any) -> None:
    document = JsonDocument.parse(json.dumps(value, indent=1))
    assert document.value == value
    assert set(document.lines) == pointers(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"kind": "llvm",\n "mcpu": }', "line 2, column 10: Expecting value"),
        ('{"mcpu": "a", "mcpu": "b"}', "the key 'mcpu' stands twice in one object"),
        ('{"num-cores": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "the brackets are nested too deeply"),
        ("", "line 1, column 1: Expecting value"),
    ],
)
def test_fault_is_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace("(", "\\(")):
        JsonDocument.parse(text)
