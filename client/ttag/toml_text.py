"""Strings and keys as TOML writes them; the standard library only reads TOML."""

from __future__ import annotations

import re

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# A carriage return is escaped too, because TOML reads it and a line feed as a line feed alone.
CONTROL_IN_LINES = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def write_key(key: str) -> str:
    """Return a key, in quotes unless it needs none."""
    return key if BARE_KEY.fullmatch(key) else _basic(key)


def write_string(text: str) -> str:
    """Return a string: over several lines if it has some, and literal where that is shorter."""
    if "\n" in text:
        return _lines(text)
    if "'" not in text and not CONTROL.search(text) and ('"' in text or "\\" in text):
        return f"'{text}'"
    return _basic(text)


def _basic(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{CONTROL.sub(_escape, escaped)}"'


def _lines(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"""', '""\\"')
    if escaped.endswith('"'):
        escaped = f'{escaped[:-1]}\\"'
    # The line feed after the opening quotes is no part of the string.
    return f'"""\n{CONTROL_IN_LINES.sub(_escape, escaped)}"""'


def _escape(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
