"""Responses to checks and proposals: faults, the effect of publishing a body, the proposal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ttag.responses.changes import Change
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


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a value, such as a change that was made while importing it."""

    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class Impact:
    """The effect of a new version on the tags that follow it.

    `counts` has the number of tags by the bump that they would get, `REFUSED` for those that would
    be invalid. `downstream` counts all tags that follow.
    """

    counts: Mapping[str, int]
    downstream: int
    complete: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The effect of publishing a body.

    If it is not `valid`, `errors` says why. `body` is what would be published: another one than
    was checked if it was imported from another format. `version` and `bump` are empty if nothing
    would change.
    """

    valid: bool
    errors: tuple[Fault, ...]
    body: Any
    digest: str
    version: str
    bump: str
    changes: tuple[Change, ...]
    lints: tuple[Fault, ...]
    notes: tuple[Note, ...]
    impact: Impact | None

    @classmethod
    def from_json(cls, answer: Any, body: Any) -> Verdict:
        """Read the response of `POST check` for a body."""
        impact = answer.get("impact") or {}
        counts = (
            {str(bump): int(count) for bump, count in impact["counts"].items()} if impact else {}
        )
        return members(
            cls,
            answer,
            errors=tuple(map(Fault.from_json, answer["errors"])),
            body=answer.get("body", body),
            changes=tuple(map(Change.from_json, answer["diff"])),
            lints=tuple(map(Fault.from_json, answer["lints"])),
            notes=tuple(members(Note, note) for note in answer["notes"]),
            impact=members(Impact, impact, counts=counts) if impact else None,
        )


@dataclass(frozen=True, slots=True)
class Proposal:
    """A body that was submitted for review. `page` is the path of its page."""

    number: int
    page: str
    tag: str
    state: str
    revision: int

    @classmethod
    def from_json(cls, answer: Any) -> Proposal:
        """Read the response of `POST proposals`."""
        return members(cls, answer, page=text(answer["url"]))
