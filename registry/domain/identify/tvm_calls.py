"""Find the calls within a program that construct targets of TVM, of every release that had them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from registry.domain.identify.reading_builder import MAX_MATCHES
from registry.domain.tvm.factories import NAMES
from registry.domain.tvm.python_target import CONSTRUCTORS

MAX_CALL = 16 * 1024  # characters of a call; the longest of TVM's tests has 2,000
# `tvm.cuda(0)` is a device, and `topi.cuda` a package: only what follows `target.` is a target.
CALL = re.compile(
    r"(?<![\w.])(?:(?:tvm\s?\.\s?)?target\s?\.\s?"
    rf"(?:{'|'.join((*CONSTRUCTORS, *NAMES))})|Target|arm_cpu)\("
)
TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<open>\()|(?P<close>\))"""
)


def find_calls(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the outer calls, which can have several lines."""
    end = 0
    for match in islice(CALL.finditer(text), MAX_MATCHES):
        if match.start() >= end and (call_end := _end_of_call(text, match.end())):
            end = call_end
            yield match.start(), end


def _end_of_call(text: str, start: int) -> int:
    """Return where the call ends whose arguments begin at a place; 0 if it does not end."""
    depth = 1
    for token in TOKEN.finditer(text, start, start + MAX_CALL):
        depth += (token["open"] is not None) - (token["close"] is not None)
        if not depth:
            return token.end()
    return 0
