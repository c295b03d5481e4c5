"""What an importer is: a function from another description of a target to a body (section 8).

What it leaves out or moves it says in notes; what it cannot read it refuses with every fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry.domain.document import Json
from registry.domain.kinds import Kinds


@dataclass(frozen=True, slots=True)
class Note:
    """What became of something that the body does not say as the source did.

    `pointer` is the place in the source: a JSON pointer, of text the root.
    """

    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A body, not yet checked, and what was left out or moved on the way."""

    body: dict[str, Any]
    notes: tuple[Note, ...] = ()

    @property
    def text(self) -> str:
        """The body as it would be sent."""
        return json.dumps(self.body, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Importer:
    """An importer by its name.

    `read` takes the source, text or parsed JSON, and the kinds in force; it raises `Refused` with
    pointers into the source. `summary` is one sentence for people.
    """

    name: str
    summary: str
    read: Callable[[Json, Kinds], Imported]
