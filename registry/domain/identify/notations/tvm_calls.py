"""Read calls that construct targets of TVM within programs, of every release that had them."""

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
MAX_CALLS = 64  # of one text
MAX_CALL = 16 * 1024  # characters of a call; the longest of TVM's tests has 2,000
# `tvm.cuda(0)` is a device, and `topi.cuda` a package: only what follows `target.` is a target.
CALL = re.compile(
    rf"(?<![\w.])(?:(?:tvm\s?\.\s?)?target\s?\.\s?(?:{'|'.join((*CONSTRUCTORS, *NAMES))})|Target)\("
)
TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<open>\()|(?P<close>\))"""
)


def reader(kinds: Kinds) -> Reader:
    """Return the reader of calls, under the kinds in force."""
    return partial(_read, kinds=kinds)


def _read(text: str, kinds: Kinds) -> Iterator[Reading]:
    end = 0  # of the last target; calls within it are its own
    for match in islice(CALL.finditer(text), MAX_CALLS):
        if match.start() < end:
            continue
        span = (match.start(), _end_of_call(text, match.end()))
        if span[1] and (reading := _import(text, span, kinds)):
            end = span[1]
            yield reading


def _end_of_call(text: str, start: int) -> int:
    """Return where the call ends whose arguments begin at a place; 0 if it does not end."""
    depth = 1
    for token in TOKEN.finditer(text, start, start + MAX_CALL):
        depth += (token["open"] is not None) - (token["close"] is not None)
        if not depth:
            return token.end()
    return 0


def _import(text: str, span: Span, kinds: Kinds) -> Reading | None:
    """Return the target of a call; nothing if TVM's importer refuses it, as with variables."""
    try:
        imported = IMPORTERS["tvm"].read(text[slice(*span)], kinds)
    except Refused:
        return None
    return target_reading(imported, text, Recognised(FORM, *span), kinds)
