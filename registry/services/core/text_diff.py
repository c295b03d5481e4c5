"""Line diffs of READMEs and of formatted JSON: schemas of kinds, bodies of proposals."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass

CONTEXT_LINES = 3


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a unified diff; its sign is `+`, `-`, a space, or `@` for omitted lines."""

    sign: str
    text: str


def indented_json(source: str) -> str:
    """Return JSON indented over several lines."""
    return json.dumps(json.loads(source), indent=2, ensure_ascii=False)


def diff_lines(old: str, new: str) -> Iterator[DiffLine]:
    """Yield the unified diff of two texts, with three lines of context."""
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), n=CONTEXT_LINES, lineterm="")
    for index, line in enumerate(diff):
        if index >= 2:  # after the two file names
            yield DiffLine(line[0], line[1:] if line[0] != "@" else line.strip("@ "))
