"""Values in error messages."""

from __future__ import annotations

import json

MAX_ECHO = 120  # characters of an echoed value; enough to recognise it


def echo(value: object) -> str:
    """Format a value for an error: its JSON, cut to a readable length, always encodable."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True, default=str)
    text = text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    return text if len(text) <= MAX_ECHO else f"{text[: MAX_ECHO - 1]}…"
