"""Tables that fit the width of a terminal, and values and differences in lines of text."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from ttag.cli.console import BOLD, GREEN, RED, YELLOW, Console
from ttag.responses.changes import Change

GAP = "  "
MIN_LAST = 12  # columns that the last cell keeps, however narrow the terminal


def table(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """Return lines with aligned columns; the last column is cut to fit `width`, if stated."""
    columns = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    used = sum(columns[:-1]) + len(GAP) * (len(columns) - 1)
    room = None if width is None else max(MIN_LAST, width - used)
    return [_line(row, columns, room) for row in rows]


def print_table(rows: Sequence[Sequence[str]], console: Console, *, has_header: bool) -> None:
    """Print rows in columns, the first one as the header if there is one."""
    for index, line in enumerate(table(rows, console.width) if rows else ()):
        console.line(console.styled(BOLD, line) if has_header and index == 0 else line)


def display_width(text: str) -> int:
    """Return the number of columns that text takes; East Asian characters take two."""
    return sum(_width(character) for character in text)


def shortened(text: str, width: int) -> str:
    """Return text that takes at most `width` columns, with an ellipsis if it was cut."""
    if display_width(text) <= width:
        return text
    used, kept = 1, []
    for character in text:
        used += _width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def _line(row: Sequence[str], columns: Sequence[int], room: int | None) -> str:
    *cells, last = row
    padded = [
        cell + " " * (width - display_width(cell))
        for cell, width in zip(cells, columns, strict=False)
    ]
    return GAP.join([*padded, last if room is None else shortened(last, room)]).rstrip()


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"F", "W"} else 1


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
        readers = [*change.consumers, *(["affects tuning"] if change.affects_tuning else [])]
        console.line(
            console.styled(style, f"  {sign} {change.pointer or '/'}  {values}")
            + f"  ({', '.join(readers)})"
        )
