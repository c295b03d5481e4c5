"""Tables of text that fit the width of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ttag.cli.console import BOLD, Console

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
