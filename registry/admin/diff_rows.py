"""Rows of a target diff, marked by a sign and a word, not only by color."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from registry.domain.diff import Change
from registry.domain.resolution.provenance_tree import Leaf

MAX_TEXT = 240  # characters of one value in a cell; the public pages show all of it
SIGNS = {"added": "+", "removed": "\N{MINUS SIGN}", "changed": "≠"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One changed value; the side without it is empty."""

    change_type: str
    sign: str
    pointer: str
    old: str
    new: str
    consumers: str
    affects_tuning: bool


def describe_changes(changes: Iterable[Change]) -> list[Difference]:
    """Return each change as a row for display."""
    return [_difference(change) for change in changes]


def _difference(change: Change) -> Difference:
    change_type = "changed" if change.old and change.new else "removed" if change.old else "added"
    return Difference(
        change_type,
        SIGNS[change_type],
        change.pointer,
        _text(change.old),
        _text(change.new),
        ", ".join(change.consumers),
        change.affects_tuning,
    )


def _text(leaf: Leaf | None) -> str:
    text = json.dumps(leaf.value, ensure_ascii=False) if leaf else ""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
