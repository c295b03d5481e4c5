"""A text that claims to describe a target, with what it is compared with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ttag.canonical_json import canonical, is_same
from ttag.errors import echo
from ttag.texts.triples import is_same_triple
from ttag_rules.grammars import TABLES
from ttag_rules.pointer import child, look_up

FORBIDDEN = re.compile(TABLES["forbidden"])
MAX_SHOWN = 60  # characters of an unexpected text in an error
DROPPED = "dropped"


class Unexpected(Exception):
    """A text that an honest registry would not have written; the message completes "the text"."""


def shown(value: object) -> str:
    """Return a value for an error: on one line, in ASCII, cut where it is long."""
    return echo(value if isinstance(value, str) else json.dumps(value), MAX_SHOWN)


def refuse_controls(text: str) -> None:
    """Raise `Unexpected` for a character that moves a cursor or reorders a line."""
    if control := FORBIDDEN.search(text):
        raise Unexpected(f"holds the control character {control[0]!a}")


@dataclass(frozen=True, slots=True)
class Claim:
    """A text in a format, and the target that it has to belong to.

    `reference` is the exact reference, with the pointer of a node as its fragment. `dropped` are
    the pointers of what the format is said to leave out. `is_recorded`: nodes state their origins.
    """

    form: str
    text: str
    target: Mapping[str, Any]
    reference: str
    dropped: frozenset[str]
    tuning_keys: Mapping[str, str]
    is_node: bool = False
    is_recorded: bool = False

    def check_dropped(self) -> None:
        """Raise `Unexpected` if something is said to be left out that the target does not have."""
        for pointer in self.dropped:
            try:
                look_up(self.target, pointer)
            except (LookupError, TypeError, ValueError):
                raise Unexpected(f"leaves out {shown(pointer)}, which is not in it") from None

    def is_dropped(self, pointer: str) -> bool:
        """Return whether a value is left out, by itself or with what encloses it."""
        parts = pointer.split("/")
        return any("/".join(parts[:end]) in self.dropped for end in range(1, len(parts) + 1))

    def require(self, pointer: str) -> None:
        """Raise `Unexpected` unless the value at a pointer is said to be left out."""
        if not self.is_dropped(pointer):
            raise Unexpected(f"lacks {shown(pointer)} of the target")

    def members(self) -> dict[str, Any]:
        """Return the members of a JSON text. Raises `Unexpected`.

        Only canonical JSON has one reading: no member twice, no other spelling.
        """
        refuse_controls(self.text)
        try:
            members = json.loads(self.text)
            is_canonical = canonical(members) == self.text.encode()
        except (ValueError, RecursionError):
            raise Unexpected("is not JSON") from None
        expected = {*TABLES["json_members"][self.form], DROPPED}
        if not is_canonical or not isinstance(members, dict) or members.keys() != expected:
            raise Unexpected(
                f"is not canonical JSON with the members {', '.join(sorted(expected))}"
            )
        losses = members[DROPPED]
        if not isinstance(losses, list) or {loss["pointer"] for loss in losses} != self.dropped:
            raise Unexpected("leaves out other values than it says")
        return members


def check_option(pointer: str, name: str, value: Any, stated: Any) -> None:
    """Raise `Unexpected` if an option has another value than in the target.

    A triple may be in LLVM's normal form.
    """
    if name == "mtriple" and isinstance(value, str) and isinstance(stated, str):
        matches = is_same_triple(value, stated)
    else:
        matches = is_same(value, stated)
    if not matches:
        raise Unexpected(
            f"says {shown(value)}, and the target {shown(stated)} at {shown(child(pointer, name))}"
        )
