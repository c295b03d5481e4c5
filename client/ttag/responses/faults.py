"""Faults of bodies, and what is doubtful about targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ttag.responses.values import members, text, texts


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault or a lint: where, a code for programs, a sentence, and similar names."""

    pointer: str
    code: str
    message: str
    expected: str = ""
    found: str = ""
    suggestions: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, answer: Any) -> Fault:
        """Read an item of `errors` or `lints`."""
        return members(
            cls,
            answer,
            expected=text(answer.get("expected")),
            found=text(answer.get("found")),
            suggestions=texts(answer.get("suggestions") or []),
        )

    def __str__(self) -> str:
        """Return one line: where, what, what was expected and found, and similar names."""
        expected = f"; expected {self.expected}" if self.expected else ""
        found = f", found {self.found}" if self.found and self.found not in self.message else ""
        near = f" Did you mean {' or '.join(self.suggestions[:3])}?" if self.suggestions else ""
        where = f"{self.pointer}: " if self.pointer else ""
        return f"{where}{self.message.rstrip('.')}{expected}{found}.{near}"
