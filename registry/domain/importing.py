"""The interface of importers: functions from another description of a target to a body.

An importer notes what it leaves out or moves, and rejects what it cannot read with every fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry.domain.document import MAX_BYTES, Json, parse_json
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.kinds.kinds import Kinds
from registry.domain.relaxed_json import strict_json
from ttag_rules.pointer import ROOT


def refuse_large_text(text: str) -> None:
    """Raise `Refused` (TOO_LARGE) for a source that is longer than a body can be."""
    if len(text) > MAX_BYTES:
        raise Refused(
            Code.TOO_LARGE, f"The source has {len(text)} characters: at most {MAX_BYTES} are read."
        )


def require_text(source: Json, expected: str) -> str:
    """Return a source that is text, not too long. Raises `Refused` for other JSON."""
    if not isinstance(source, str):
        message = f"{echo(source)} is not text"
        fault = Fault(ROOT, "VALUE_TYPE", message, expected)
        raise Refused(Code.BODY_INVALID, f"Not accepted: {message}.", faults=[fault])
    refuse_large_text(source)
    return source


# Decision 052: an importer notes each change that it makes.
@dataclass(frozen=True, slots=True)
class Note:
    """A note on a value that the body does not state in the same way as the source.

    `pointer` is the place in the source: a JSON pointer, or the root for text.
    """

    pointer: str
    message: str


def parse_relaxed(text: str) -> tuple[Json, tuple[Note, ...]]:
    """Return the value of JSON that may have comments and commas after last items, with notes.

    Raises `Refused` as `parse_json` does.
    """
    try:
        return parse_json(text), ()
    except Refused as refusal:
        strict, left_out = strict_json(text)
        if refusal.code is not Code.JSON_INVALID or not left_out:
            raise
    return parse_json(strict), (Note(ROOT, f"left out {' and '.join(left_out)}"),)


@dataclass(frozen=True, slots=True)
class Imported:
    """A body that has not been checked yet, with notes."""

    body: dict[str, Any]
    notes: tuple[Note, ...] = ()

    @property
    def text(self) -> str:
        """The body as JSON text."""
        return json.dumps(self.body, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Importer:
    """An importer with its name.

    `read` takes the source, text or parsed JSON, and the kinds in force; it raises `Refused` with
    pointers into the source. `summary` is one sentence for people.
    """

    name: str
    summary: str
    read: Callable[[Json, Kinds], Imported]
