"""Compare generated texts with the files that there are, a line for each difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from pathlib import Path

MAX_LINE = 120  # characters; a processor's features are longer
HEADING = 2  # lines of a comparison that name the files


def line_differences(texts: Mapping[Path, str]) -> Iterator[str]:
    """Yield the lines that are to be taken out of files, and those that are to be added."""
    for path, text in texts.items():
        present = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        lines = [*unified_diff(present, text.splitlines(), n=0, lineterm="")][HEADING:]
        yield from (f"{path.name}: {line[:MAX_LINE]}" for line in lines if line[0] in "+-")
