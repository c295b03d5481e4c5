"""Lists of lines by name, such as the sources of hardware facts, as text: `memory: https://…`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from registry.domain.document import Json
from registry.domain.kinds.hardware import ALL

NAMED = re.compile(r"([A-Za-z0-9_-]+):(?!//)\s*(.*)")  # the scheme of a URL is no name


def parse_line(line: str) -> tuple[str, str]:
    """Return the name and the text of a line; the name is `all` if the line has none."""
    match = NAMED.fullmatch(line)
    return (match[1], match[2]) if match else (ALL, line)


def format_lines(lists: Mapping[str, Json]) -> str:
    """Return the text with a line for each item; empty if not every value is a list of texts."""
    lines = []
    for name, items in lists.items():
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            return ""
        lines += [f"{item}" if name == ALL else f"{name}: {item}" for item in items]
    return "\n".join(lines)
