"""The grammars of texts and the tables of their formats, which the registry has as well.

The file is byte for byte `registry/domain/toolchains/grammars.json`; a test compares both.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

TABLES: dict[str, Any] = json.loads(Path(__file__).with_name("grammars.json").read_bytes())
FORBIDDEN = re.compile(TABLES["forbidden"])
MAX_SHOWN = 60  # characters of an unexpected text in an error


class Unexpected(Exception):
    """A text that an honest registry would not have written; the message completes "the text"."""


def shown(value: object) -> str:
    """Return a value for an error: on one line, in ASCII, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value)
    return ascii(text[:MAX_SHOWN]) + ("..." if len(text) > MAX_SHOWN else "")


def refuse_controls(text: str) -> None:
    """Raise `Unexpected` for a character that moves a cursor or reorders a line."""
    if control := FORBIDDEN.search(text):
        raise Unexpected(f"holds the control character {control[0]!a}")
