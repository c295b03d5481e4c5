"""Generated JSON is readable, and means the same."""

import json

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.layout import WIDTH, layout
from registry.domain.document import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=20), inner),
    max_leaves=30,
)


@given(VALUES)
def test_layout_keeps_the_value_and_the_order_of_keys(value: Json) -> None:
    assert json.dumps(json.loads(layout(value))) == json.dumps(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"tag": "aws/c8g@1", "num-cores": 16}, '{"tag": "aws/c8g@1", "num-cores": 16}'),
        ({"a": "x" * 60, "b": "y" * 60}, f'{{\n  "a": "{"x" * 60}",\n  "b": "{"y" * 60}"\n}}'),
        (["x" * 60, {"b": 1}, "y" * 60], f'[\n  "{"x" * 60}",\n  {{"b": 1}},\n  "{"y" * 60}"\n]'),
        ("z" * 120, f'"{"z" * 120}"'),
        ({"a": [{"b": "z" * 120}]}, f'{{"a": [{{"b": "{"z" * 120}"}}]}}'),
    ],
)
def test_only_what_is_too_long_for_a_line_has_several(value: Json, text: str) -> None:
    assert layout(value) == text


def test_nested_values_stay_within_the_width() -> None:
    value: Json = {"key": {f"option-{index}": ["+feature"] * 4 for index in range(9)}}
    assert max(map(len, layout(value).splitlines())) < WIDTH
