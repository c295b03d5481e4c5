"""JSON with comments and commas after last items, as people write it."""

import json
import time

import pytest
from hypothesis import given, strategies as st

from registry.domain.document import MAX_BYTES
from registry.domain.relaxed_json import strict_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n "b": [1, 2,],\n}', {"a": 1, "b": [1, 2]}),
        ('# all\n{"a": 1 /* x, */ , # y\n}', {"a": 1}),
        ('{"a": {"b": 1,},}', {"a": {"b": 1}}),
        ("[1, /* c */ ]", [1]),
        ('["a,]", "//", "#", "/* */",]', ["a,]", "//", "#", "/* */"]),
        (r'["a\\", "b\"]",]', ["a\\", 'b"]']),
    ],
)
def test_comments_and_last_commas_become_blanks(text: str, value: object) -> None:
    strict, left_out = strict_json(text)
    assert json.loads(strict) == value
    assert left_out
    assert len(strict) == len(text)
    assert strict.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text", ["[,]", "[1,,]", '{"a":,}', '{"a",:1}', "[1 2,]", '["a]', '{"a": 1}}', "/* open", ""]
)
def test_other_mistakes_stay(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|Extra|Unterminated|Invalid"):
        json.loads(strict_json(text)[0])


@given(VALUES)
def test_json_stays_as_it_is(value: object) -> None:
    text = json.dumps(value)
    assert strict_json(text) == (text, ())


@pytest.mark.parametrize("part", ['"\\\\', "/*", "//", ",", "[", '"', "\\"])
def test_no_text_is_slow(part: str) -> None:
    began = time.process_time()
    strict_json(part * (MAX_BYTES // len(part)))
    assert time.process_time() - began < 5
