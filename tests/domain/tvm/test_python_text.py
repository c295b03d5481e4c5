# ruff: noqa: E501 - tables read best in rows
"""Parsing Python as people paste it."""

import ast
import time
import warnings
from contextlib import suppress

import pytest
from hypothesis import example, given, strategies as st

from registry.domain.document import MAX_BYTES
from registry.domain.errors import Code, Refused, TextPosition
from registry.domain.tvm.python_text import (
    MAX_DEPTH,
    MAX_OPERATORS,
    is_call,
    is_python,
    parse_python,
    position_of,
)
from tests.domain.builders import refusal


@pytest.mark.parametrize(
    "text",
    ["Target('c')", "tvm.target.Target (x)", "t = Target('c')", "t = {'kind': 'c'}", "t = 'c'"],
)
def test_calls_and_assignments_are_recognized(text: str) -> None:
    assert is_call(text)


@pytest.mark.parametrize(
    "text", ["llvm", "llvm -mcpu=x", "nvidia/a100", "'llvm'", '{"kind": "c"}', "llvm -host='c'", ""]
)
def test_other_texts_are_no_calls(text: str) -> None:
    assert not is_call(text)


def test_a_quoted_text_is_python() -> None:
    assert is_python("'llvm'")
    assert not is_python("llvm")


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("{'a': 1,}", "{'a': 1}"),
        ("\n  t = f(\n  'x',  # comment\n)", "f('x')"),
        ("{'a': 1},", "{'a': 1}"),
        ("('a' 'b')", "'ab'"),
        (r"r'\d' + '\x41\u0042\n'", r"'\\d' + 'AB\n'"),
        ("[1, -2, 3.5e-1, None, True]", "[1, -2, 0.35, None, True]"),
    ],
)
def test_expressions_are_parsed(text: str, expression: str) -> None:
    assert ast.unparse(parse_python(text)) == ast.unparse(ast.parse(expression, mode="eval"))


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("f(", "invalid Python", (1, 2)),
        ("f'x'", "'x' is not expected here", (1, 2)),
        ("b'x'", "'x' is not expected here", (1, 2)),
        ("f(x)(y)", "(y) is not expected here", (1, 5)),
        ("[1][0]", "[0] is not expected here", (1, 4)),
        ("lambda x: x", "x: x is not expected here", (1, 8)),
        ("x if y else z", "if y else", (1, 3)),
        ("a; b", "; b is not expected here", (1, 2)),
        ("a = 1\nb = 2", "b = 2 is not expected here", (2, 1)),
        ("import os", "os is not expected here", (1, 8)),
        ("f(*x)", "*x) is not expected here", (1, 3)),
        ("'''x'''", "''' is not read", (1, 1)),
        (r"'\d'", r"'\d' is not expected here", (1, 1)),
        (r"'\777'", "is not expected here", (1, 1)),
        ("'x", "'x is not expected here", (1, 1)),
        ("a = b = 'x'", "the text is not one expression", (1, 1)),
        ("", "the text is not one expression", (1, 1)),
        ("(" * (MAX_DEPTH + 1), "the expression nests too deep", (1, MAX_DEPTH + 1)),
        ("-" * (MAX_OPERATORS + 1), "the expression nests too deep", (1, MAX_OPERATORS + 1)),
        ("  f(\n  x y)", "y) is not expected here", (2, 5)),
    ],
)  # fmt: skip
def test_other_texts_are_rejected(text: str, message: str, place: tuple[int, int]) -> None:
    (fault,) = refusal(lambda: parse_python(text)).faults
    assert (fault.pointer, fault.code) == ("", "PYTHON_INVALID")
    assert message in fault.message
    assert fault.place == TextPosition(*place)


def test_long_texts_are_rejected() -> None:
    assert refusal(lambda: parse_python("'" + "x" * MAX_BYTES + "'")).code is Code.TOO_LARGE


def test_positions_are_those_of_the_whole_text() -> None:
    text = "\n  f('é',\n x=1)\n"
    call = parse_python(text)
    assert isinstance(call, ast.Call)
    assert position_of(call, text) == TextPosition(2, 3)
    assert position_of(call.args[0], text) == TextPosition(2, 5)
    assert position_of(call.keywords[0], text) == TextPosition(3, 2)


TOKENS = ["(", ")", "[", "]", "{", "}", ",", ":", "=", "-", "+", ".", "'a'", '"b"', "x", "1", " ", "\n", "#", "\\", "lambda", "not", "if", "\0", "\ud800", "9" * 5000, "1e999", "0777", "'''"]  # fmt: skip


@given(st.one_of(st.text(max_size=20), st.lists(st.sampled_from(TOKENS), max_size=20).map("".join)))
@example("'\0'")
@example("'\ud800'")
@example("1and 2")
@example("f(" * 60 + ")" * 60)
def test_any_text_is_parsed_or_rejected_without_a_warning(text: str) -> None:
    with warnings.catch_warnings(record=True) as caught, suppress(Refused):
        warnings.simplefilter("always")
        assert isinstance(parse_python(text), ast.expr)
    assert caught == []


LONG = {
    "brackets": "[" * MAX_BYTES,
    "signs": "-" * MAX_BYTES,
    "dots": "a." * (MAX_BYTES // 2),
    "calls": "f()" * (MAX_BYTES // 3),
    "texts": "'' " * (MAX_BYTES // 3),
    "quotes": "'" * MAX_BYTES,
    "backslashes": "'" + "\\" * (MAX_BYTES - 1),
    "names": "a" * MAX_BYTES,
    "assignments": "a=" * (MAX_BYTES // 2),
    "items": "[" + "1," * (MAX_BYTES // 2 - 1) + "]",
    "digits": "9" * MAX_BYTES,
    "blanks": " " * MAX_BYTES,
    "lines": "\n" * MAX_BYTES,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_no_text_is_slow(text: str) -> None:
    """The limit is far above linear time and far below quadratic time."""
    began = time.process_time()
    is_python(text)
    with suppress(Refused):
        parse_python(text)
    assert time.process_time() - began < 5
