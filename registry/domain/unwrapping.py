"""Find the target in a text as people copy it: quoted, wrapped, from a shell, a chat or a script.

Characters around the target become spaces and none is moved beyond its line break, so positions in
errors are those of the pasted text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from registry.domain.compile_commands.command import is_compile_command
from registry.domain.errors import Fault, echo, refuse_all
from registry.domain.iree_text.attributes import is_attribute
from registry.domain.tvm import factories
from registry.domain.tvm.python_target import CONSTRUCTORS
from registry.domain.tvm.python_text import is_call, is_python
from ttag_rules.pointer import ROOT

MAX_LAYERS = 8  # a fence around a prompt around a command around quotes has four
TYPOGRAPHY = str.maketrans({"\ufeff": " ", "\u200b": " ", "\u2060": " "})
DOUBLE_QUOTES, SINGLE_QUOTES = re.compile("[\u201c\u201d\u201e]"), re.compile("[\u2018\u2019]")
DASH = re.compile("(?<=\\s)[\u2013\u2014](?=[\\w-])")
FENCE = re.compile(r"\s*(```|~~~)[\w+-]*[ \t]*\n(?P<kept>.*?)\n?\1\s*", re.DOTALL)
BACKTICKS = re.compile(r"\s*`(?P<kept>[^`]+)`\s*")
PROMPT = re.compile(r"^[ \t]*(>>>|\.\.\.|\$|In \[\d+\]:)(?=[ \t])", re.MULTILINE)
COMMENTS = re.compile(r"\s*(?:(?:#|//)[^\n]*(?:\n\s*|$))+")
CONTINUATION = re.compile(r"\\(?=[ \t]*\n)")
BROKEN_LIST = re.compile(r",(\s*\n\s*)([+-][\w.]+(?:,[+-][\w.]+)*,?)(?=[\s\"']|$)")
EXPORT = re.compile(r"\s*(?:export|set|local|readonly)\s+\w+=(?P<kept>.*)", re.DOTALL)
TARGET_OPTION = re.compile(
    r"""(?:^|(?<=\s))--?target(?:=|\s+)(?P<kept>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+)""", re.DOTALL
)
TARGET_CALL = re.compile(
    r"(?:\b[A-Za-z_]\w*\s*(?:\.|::)\s*)*\bTarget\s*\(|\b(?:tvm\s*\.\s*)?target\s*\.\s*(?:"
    + "|".join((*CONSTRUCTORS, *factories.NAMES))
    + r")\s*\("
)
QUOTED = re.compile(r"""\s*(?P<quote>["'])(?P<kept>[^"'\\]*)(?P=quote)[\s,;]*""")
TRIPLE_QUOTES = re.compile(r"""(\"{3}|'{3})([^"'\\]*)\1""")
END = re.compile(r"[;\s]+$")


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A text of the same length with the target alone, and what was written around it."""

    text: str
    left_out: str = ""


def unwrap(text: str) -> Unwrapped:
    """Return the target in a text; the text itself if it is not wrapped.

    Raises `Refused` (TWO_TARGETS) if the text has several different targets.
    """
    if is_attribute(text):  # which begins like a comment
        return Unwrapped(_typography(text))
    left_out: list[str] = []
    for _ in range(MAX_LAYERS):
        before = text
        for rule in RULES:
            text = rule(text)
        for extract in (_target_option, _target_call):
            text, rest = extract(text)
            left_out += [rest] if rest else []
        if text == before:
            break
    return Unwrapped(text, " … ".join(left_out))


def _typography(text: str) -> str:
    """Replace invisible characters, quotes and dashes that word processors insert."""
    text = DASH.sub("-", text.translate(TYPOGRAPHY))
    if '"' not in text:
        text = DOUBLE_QUOTES.sub('"', text)
    return text if "'" in text else SINGLE_QUOTES.sub("'", text)


def _keep(pattern: re.Pattern[str]) -> Callable[[str], str]:
    """Return a rule that keeps the group `kept`, the rest as spaces, if the pattern matches all."""

    def rule(text: str) -> str:
        match = pattern.fullmatch(text)
        return _only(text, *match.span("kept")) if match else text

    return rule


def _blank(pattern: re.Pattern[str]) -> Callable[[str], str]:
    """Return a rule that replaces by spaces every match of a pattern."""
    return lambda text: pattern.sub(lambda match: _blanks(match[0]), text)


def _leading_comments(text: str) -> str:
    match = COMMENTS.match(text)
    is_all = match is not None and match.end() == len(text)
    return _blanks(match[0]) + text[match.end() :] if match and not is_all else text


def _lines(text: str) -> str:
    """Join the lines of a command: remove continuations, and close up lists of features."""
    if is_call(text):  # in Python, a string can contain them
        return text
    text = _blank(CONTINUATION)(text)
    return BROKEN_LIST.sub(lambda match: f",{match[2]}{match[1]}", text)


def _triple_quotes(text: str) -> str:
    """Turn a text in triple quotes into a text of one line in single ones."""

    def one_line(match: re.Match[str]) -> str:
        quotes, kept = match.groups()
        return f"  {quotes[0]}{' '.join(kept.split(chr(10)))}{quotes[0]}  "

    return TRIPLE_QUOTES.sub(one_line, text)


def _stray_quote(text: str) -> str:
    """Replace by a space a quote at the start or end that has no partner."""
    stripped = text.strip()
    for quote in ('"', "'"):
        if stripped.count(quote) == 1 and quote in (stripped[0], stripped[-1]):
            return text.replace(quote, " ")
    return text


RULES: tuple[Callable[[str], str], ...] = (
    _typography,
    _keep(FENCE),
    _keep(BACKTICKS),
    _blank(PROMPT),
    _leading_comments,
    _lines,
    _keep(EXPORT),
    _triple_quotes,
    _keep(QUOTED),
    _blank(END),
    _stray_quote,
)


def _target_option(text: str) -> tuple[str, str]:
    """Keep the value of the only option `--target`; return the rest as well."""
    matches = list(TARGET_OPTION.finditer(text))
    if (
        is_python(text)
        or is_compile_command(text)
        or not _is_one(match["kept"] for match in matches)
    ):
        return text, ""
    start, end = matches[0].span("kept")
    return _only(text, start, end), _rest(text, matches[0].start(), end)


def _target_call(text: str) -> tuple[str, str]:
    """Keep the only call of `Target`, without its namespace in C++; return the rest as well."""
    calls = list(_calls(text))
    if not _is_one(text[start:end] for start, end in calls):
        return text, ""
    start, end = calls[0]
    rest = _rest(text, start, end)
    if rest and is_call(text) and not text[end:].strip(" \t\n;,)"):
        return text, ""  # an assignment, which the reader of Python knows
    scope = text.rfind("::", start, text.index("(", start))
    return _only(text, scope + 2 if scope >= 0 else start, end), rest


def _is_one(targets: Iterable[str]) -> bool:
    """Return whether there is a target. Raises `Refused` (TWO_TARGETS) if there are several."""
    different = list({"".join(target.split()): target for target in targets}.values())
    if len(different) > 1:
        message = f"the text has {len(different)} different targets, such as "
        message += " and ".join(echo(target) for target in different[:2])
        refuse_all([Fault(ROOT, "TWO_TARGETS", message, "one of them")])
    return bool(different)


def _calls(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the calls of `Target` that are not inside another one."""
    end = 0
    for match in TARGET_CALL.finditer(text):
        if match.start() >= end:
            end = _closing(text, match.end())
            if end:
                yield match.start(), end


def _closing(text: str, start: int) -> int:
    """Return the offset after the bracket that closes a call; 0 if it is not closed."""
    depth, quote, is_escaped = 1, "", False
    for offset in range(start, len(text)):
        char = text[offset]
        if is_escaped:
            is_escaped = False
        elif quote:
            is_escaped = char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char in "([{") - (char in ")]}")
            if depth == 0:
                return offset + 1
    return 0


def _only(text: str, start: int, end: int) -> str:
    return _blanks(text[:start]) + text[start:end] + _blanks(text[end:])


def _rest(text: str, start: int, end: int) -> str:
    """Return what stands around a span, on one line."""
    return " ".join(f"{text[:start]} {text[end:]}".split()).strip(" ;,")


def _blanks(text: str) -> str:
    """Return as many spaces, with the same line breaks."""
    return re.sub(r"[^\n]", " ", text)
