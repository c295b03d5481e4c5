"""Parse Python as people paste it: literals and calls, never evaluated.

The text is checked token by token before Python's own parser sees it, so that no text is slow,
crashes it or makes it warn.
"""

from __future__ import annotations

import ast
import re

from registry.domain.errors import Code, Fault, Refused, TextPosition, echo
from registry.domain.importing import refuse_large_text
from ttag_rules.pointer import ROOT

MAX_DEPTH = 64  # of brackets; real targets have 8
MAX_OPERATORS = 256  # dots, signs and plus signs, each of which may nest an expression

CALL = re.compile(r"\s*(?:[A-Za-z_]\w*\s*=\s*)?(?:[A-Za-z_]\w*\s*\.\s*)*[A-Za-z_]\w*\s*\(")
ASSIGNED = re.compile(r"\s*[A-Za-z_]\w*\s*=\s*[\"'{(]")
QUOTED = re.compile(r"\s*(?:\(\s*){0,8}[rR]?[\"']")

TOKEN = re.compile(
    r"""
    (?P<space>\s+|\#[^\n]*|\\\n)
    |(?P<string>[rR](?:"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*')
      |"[^"\\\n]*(?:\\<escape>[^"\\\n]*)*"|'[^'\\\n]*(?:\\<escape>[^'\\\n]*)*')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)(?![\w.]))
    |(?P<open>[(\[{])|(?P<close>[)\]}])
    |(?P<operator>[.+-])
    |(?P<separator>[,:=])
    """.replace("<escape>", r"""(?:[\\'"abfnrtv\n]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})"""),
    re.VERBOSE | re.DOTALL,
)
OPERANDS = frozenset({"name", "number"})
EXPECTED = 'a call such as tvm.target.Target("cuda -arch=sm_80", host="llvm"), or its arguments'


def is_call(text: str) -> bool:
    """Return whether a text begins like a call or an assignment of Python."""
    return bool(CALL.match(text) or ASSIGNED.match(text))


def is_python(text: str) -> bool:
    """Return whether a text begins like a call, an assignment or a text of Python."""
    return is_call(text) or bool(QUOTED.match(text))


def parse_python(text: str) -> ast.expr:
    """Return the expression that is the text, or that it assigns to a name. Raises `Refused`."""
    refuse_large_text(text)
    _check_tokens(text)
    try:
        statements = ast.parse(text.strip()).body
    except SyntaxError as error:
        place = _shifted(text, error.lineno or 1, error.offset or 1)
        raise _refusal(f"invalid Python: {error.msg}", place) from None
    except (ValueError, RecursionError, MemoryError):
        raise _refusal("invalid Python", TextPosition(1, 1)) from None
    match statements:
        case [ast.Expr(ast.Tuple(elts=[value])) | ast.Expr(value)]:
            return value
        case [ast.Assign(targets=[ast.Name()], value=value)]:
            return value
    raise _refusal("the text is not one expression", TextPosition(1, 1))


def position_of(node: ast.AST, text: str) -> TextPosition:
    """Return the position of an expression, or of an argument's name, in the parsed text."""
    number, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    lines = text.strip().split("\n")
    line = lines[number - 1] if number <= len(lines) else ""
    column = len(line.encode(errors="replace")[:offset].decode(errors="replace")) + 1
    return _shifted(text, number, column)


def _check_tokens(text: str) -> None:
    """Check that only literals, names and calls occur, with bounded nesting."""
    for quotes in ('"' * 3, "'" * 3):
        if quotes in text:
            raise _refusal(
                f"{quotes} is not read", TextPosition.from_offset(text, text.index(quotes))
            )
    offset, depth, operators, previous = 0, 0, 0, ""
    while offset < len(text):
        match = TOKEN.match(text, offset)
        token = (match.lastgroup or "") if match else ""
        if not match or _is_misplaced(previous, token):
            message = f"{echo(text[offset : offset + 10])} is not expected here"
            raise _refusal(message, TextPosition.from_offset(text, offset))
        depth += (token == "open") - (token == "close")
        operators += token == "operator"
        if depth > MAX_DEPTH or operators > MAX_OPERATORS:
            place = TextPosition.from_offset(text, offset)
            raise _refusal("the expression nests too deep", place)
        offset, previous = match.end(), previous if token == "space" else token


def _is_misplaced(previous: str, token: str) -> bool:
    """Return whether two tokens cannot follow each other in literals and simple calls."""
    if token == "open":
        return previous in ("close", "string", "number")
    if token == "string":
        return previous in OPERANDS
    return token in OPERANDS and previous in (*OPERANDS, "string")


def _shifted(text: str, line: int, column: int) -> TextPosition:
    """Return a position of the stripped text as one of the text."""
    white_space = text[: len(text) - len(text.lstrip())]
    first_column = len(white_space) - (white_space.rfind("\n") + 1)
    return TextPosition(line + white_space.count("\n"), column + (first_column if line == 1 else 0))


def _refusal(message: str, place: TextPosition) -> Refused:
    message = f"{message} (line {place.line}, column {place.column})"
    fault = Fault(ROOT, "PYTHON_INVALID", message, EXPECTED, place=place)
    return Refused(Code.BODY_INVALID, f"Not accepted: {message}.", faults=[fault])
