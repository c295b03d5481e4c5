"""The grammars of texts and the tables of their formats, by which the registry writes them."""

from __future__ import annotations

import json
import re

from ttag.errors import echo
from ttag_rules.grammars import TABLES

FORBIDDEN = re.compile(TABLES["forbidden"])
MAX_SHOWN = 60  # characters of an unexpected text in an error


class Unexpected(Exception):
    """A text that an honest registry would not have written; the message completes "the text"."""


def shown(value: object) -> str:
    """Return a value for an error: on one line, in ASCII, cut where it is long."""
    return echo(value if isinstance(value, str) else json.dumps(value), MAX_SHOWN)


def refuse_controls(text: str) -> None:
    """Raise `Unexpected` for a character that moves a cursor or reorders a line."""
    if control := FORBIDDEN.search(text):
        raise Unexpected(f"holds the control character {control[0]!a}")
