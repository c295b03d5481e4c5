"""Read targets of TVM within programs and settings: calls of Python, and objects with a kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

from registry.domain.errors import Refused
from registry.domain.identify.drafts import Span
from registry.domain.identify.readings import Reader, Reading, Recognised
from registry.domain.identify.target_readings import target_reading
from registry.domain.importers import IMPORTERS
from registry.domain.kinds.kinds import Kinds
from registry.domain.tvm.factories import NAMES
from registry.domain.tvm.python_target import CONSTRUCTORS

FORM = "a target of TVM"
MAX_TARGETS = 64  # of one text
MAX_TARGET = 16 * 1024  # characters of a target; the largest of TVM's tests has 2,000
# `tvm.cuda(0)` is a device, and `topi.cuda` a package: only what follows `target.` is a target.
CALL = re.compile(
    rf"(?<![\w.])(?:(?:tvm\s?\.\s?)?target\s?\.\s?(?:{'|'.join((*CONSTRUCTORS, *NAMES))})|Target)\("
)
TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<open>[({\[])|(?P<close>[)}\]])"""
)
KIND = re.compile(r"""["']kind["']\s{0,20}:""")


def reader(kinds: Kinds) -> Reader:
    """Return the reader of targets of TVM, under the kinds in force."""
    return partial(_read, kinds=kinds)


def _read(text: str, kinds: Kinds) -> Iterator[Reading]:
    end = 0  # of the last target; those within it are its own
    for span in islice(_candidates(text), MAX_TARGETS):
        if span[0] >= end and (reading := _import(text, span, kinds)):
            end = span[1]
            yield reading


def _candidates(text: str) -> Iterator[Span]:
    """Yield the places of calls, and of objects that have a kind, the outer one first."""
    calls = {match.end() - 1: match.start() for match in CALL.finditer(text)}
    kinds = frozenset(match.start() for match in KIND.finditer(text))
    if not calls and not kinds:
        return
    spans = [
        (calls.get(start, start), end)
        for start, end, has_kind in _bracketed(text, kinds)
        if start in calls or has_kind
    ]
    yield from sorted(spans, key=lambda span: (span[0], -span[1]))


def _bracketed(text: str, kinds: frozenset[int]) -> Iterator[tuple[int, int, bool]]:
    """Yield what stands in brackets, and whether it is an object that itself has a kind."""
    stack: list[tuple[int, bool]] = []
    for token in TOKEN.finditer(text):
        if token["open"]:
            stack.append((token.start(), False))
        elif token["close"] and stack:
            start, has_kind = stack.pop()
            if token.end() - start <= MAX_TARGET:
                yield start, token.end(), has_kind and text[start] == "{"
        elif token["text"] and stack and token.start() in kinds:
            stack[-1] = (stack[-1][0], True)


def _import(text: str, span: Span, kinds: Kinds) -> Reading | None:
    """Return the target at a place; nothing if TVM's importer refuses it, as with variables."""
    try:
        imported = IMPORTERS["tvm"].read(text[slice(*span)], kinds)
    except Refused:
        return None
    return target_reading(imported, text, Recognised(FORM, *span))
