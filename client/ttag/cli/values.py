"""Values and differences in lines of text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ttag.cli.console import GREEN, RED, YELLOW, Console
from ttag.responses.changes import Change


def compact(value: Any) -> str:
    """Return a value as JSON on one line; strings without quotes if nothing is lost by that."""
    if isinstance(value, str) and value.isprintable() and value == value.strip() != "":
        return value
    return json.dumps(value, ensure_ascii=False)


def print_changes(changes: Sequence[Change], console: Console) -> None:
    """Print one line for each change: what was added, removed or replaced, and who reads it."""
    for change in changes:
        old = compact(change.old.value) if change.old else ""
        new = compact(change.new.value) if change.new else ""
        if change.old is None:
            sign, style, values = "+", GREEN, new
        elif change.new is None:
            sign, style, values = "-", RED, old
        else:
            sign, style, values = "~", YELLOW, f"{old} -> {new}"
        console.line(
            console.styled(style, f"  {sign} {change.pointer or '/'}  {values}")
            + f"  ({', '.join(readers(change))})"
        )


def readers(change: Change) -> list[str]:
    """Return who reads the value, and whether tuning records depend on it."""
    return [*change.consumers, *(["affects tuning"] if change.affects_tuning else [])]
