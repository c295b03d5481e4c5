"""Texts that are shown in part: values in error messages, and what has to fit."""

from __future__ import annotations

import json

MAX_ECHO = 120  # characters of an echoed value; enough to recognise it


def echo(value: object) -> str:
    """Format a value for an error: its JSON, cut to a readable length, always encodable."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True, default=str)
    text = text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    return shorten(text, MAX_ECHO)


def shorten(text: str, limit: int) -> str:
    """Return a text of `limit` characters at most; the last one says if it was truncated."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
