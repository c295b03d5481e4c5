"""Strings as TOML writes them, read back by the standard library."""

import tomllib

import pytest
from hypothesis import example, given, strategies as st

from ttag.toml_text import write_key, write_string

# Everything that TOML gives a meaning, often enough to meet in any order.
TEXT = st.text(st.sampled_from("\"'\\\n\r\t\x00\x1f\x7f\x85\u2028 au0Uä😀#=[]"), max_size=12)
ANY_TEXT = TEXT | st.text(st.characters(codec="utf-8"), max_size=40)


@given(ANY_TEXT)
@example('"""')
@example('\n"""""')
@example("'''\n'''")
@example("line\r\nline\r")
@example("\n")
@example("\\\n  continued")
@example('{"a":"it\'s"}')
@example("delete: \x7f")
@example("\n\x7f\x00")
def test_strings_are_read_back(text: str) -> None:
    assert tomllib.loads(f"text = {write_string(text)}\n") == {"text": text}


@given(ANY_TEXT)
def test_keys_are_read_back(key: str) -> None:
    assert tomllib.loads(f"{write_key(key)} = 1\n") == {key: 1}


@given(ANY_TEXT)
def test_line_feeds_of_windows_change_nothing(text: str) -> None:
    """A checkout on Windows may have other line ends than what was committed."""
    document = f"text = {write_string(text)}\n".replace("\n", "\r\n")
    assert tomllib.loads(document) == {"text": text}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arm/soc", '"arm/soc"'),
        ('{"kind":"c"}', '\'{"kind":"c"}\''),
        ('it\'s "c"', '"it\'s \\"c\\""'),
        ("-mcpu=cortex-m7\n", '"""\n-mcpu=cortex-m7\n"""'),
        ("a\\b\n", '"""\na\\\\b\n"""'),
    ],
)
def test_strings_are_written_for_people(text: str, expected: str) -> None:
    assert write_string(text) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [("clang", "clang"), ("tvm-string", "tvm-string"), ("", '""'), ("/host", '"/host"')],
)
def test_keys_have_quotes_only_if_they_need_them(key: str, expected: str) -> None:
    assert write_key(key) == expected
