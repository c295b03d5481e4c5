"""Objections of a compiler to a body: its format is refused, or leaves something out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry.domain.errors import Code, Refused
from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.domain.names.choices import check_choice
from registry.services.core import shipped_facts
from registry.services.kinds import kinds

COMPILERS = ("clang", "iree", "tvm")  # whose formats are named after them
NAME = "The build"  # in place of a reference


def find_compiler(text: str) -> str:
    """Return the name of a compiler. Raises `Refused` (REQUEST_INVALID)."""
    check_choice("compiler", text, COMPILERS, code=Code.REQUEST_INVALID)
    return text


def objection_of(compiler: str) -> Callable[[dict[str, Any]], str]:
    """Return a function that says why a compiler cannot be told a body; empty if it can.

    One query, unless this process has read the kinds.
    """
    current, write = kinds.current_kinds().kinds, FORMATS[compiler].write

    def objection(body: dict[str, Any]) -> str:
        try:
            export = write(Subject(NAME, body, current, cpus=shipped_facts.cpus()))
        except Refused as refusal:
            return refusal.detail
        losses = (f"{loss.pointer or 'the root'}: {loss.reason}." for loss in export.dropped)
        return next(losses, "")

    return objection
