"""Two texts compared line by line, as people read JSON: schemas of kinds, bodies of proposals."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass

CONTEXT = 3  # unchanged lines around a change


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a text, and what became of it: `+`, `-`, a blank, or `@` for lines left out."""

    sign: str
    text: str


def format_json(source: str) -> str:
    """JSON over several lines, as it is compared."""
    return json.dumps(json.loads(source), indent=2, ensure_ascii=False)


def diff_lines(old: str, new: str) -> Iterator[DiffLine]:
    """What was written anew between two texts, line by line, with some lines around it."""
    compared = difflib.unified_diff(old.splitlines(), new.splitlines(), n=CONTEXT, lineterm="")
    for at, line in enumerate(compared):
        if at >= 2:  # behind the names of two files
            yield DiffLine(line[0], line[1:] if line[0] != "@" else line.strip("@ "))
