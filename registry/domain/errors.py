"""What the registry refuses, and how it says so."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

MOST_FAULTS = 100  # of one refusal; who reads more of them?
MAX_ECHO = 120  # an echoed value is there to be recognised, not to be read back whole


class Code(StrEnum):
    """Why a request as a whole is refused. `registry.api.problems` maps each to an HTTP status."""

    REFERENCE_INVALID = "REFERENCE_INVALID"
    NAMESPACE_UNKNOWN = "NAMESPACE_UNKNOWN"
    TAG_UNKNOWN = "TAG_UNKNOWN"
    VERSION_UNKNOWN = "VERSION_UNKNOWN"
    DIGEST_UNKNOWN = "DIGEST_UNKNOWN"
    PROPOSAL_UNKNOWN = "PROPOSAL_UNKNOWN"
    DRAFT_UNKNOWN = "DRAFT_UNKNOWN"
    KIND_UNKNOWN = "KIND_UNKNOWN"
    ROUTE_UNKNOWN = "ROUTE_UNKNOWN"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    REQUEST_INVALID = "REQUEST_INVALID"
    JSON_INVALID = "JSON_INVALID"
    BODY_INVALID = "BODY_INVALID"
    PARENT_INVALID = "PARENT_INVALID"
    CYCLE = "CYCLE"
    TOO_LARGE = "TOO_LARGE"
    TOO_DEEP = "TOO_DEEP"
    NOT_A_TARGET = "NOT_A_TARGET"
    NODE_UNKNOWN = "NODE_UNKNOWN"
    NOTHING_CHANGED = "NOTHING_CHANGED"
    CONFLICT = "CONFLICT"
    PRECONDITION_REQUIRED = "PRECONDITION_REQUIRED"
    PRECONDITION_FAILED = "PRECONDITION_FAILED"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    RATE_LIMITED = "RATE_LIMITED"
    FILTER_INVALID = "FILTER_INVALID"
    FORMAT_UNKNOWN = "FORMAT_UNKNOWN"
    FORMAT_UNFIT = "FORMAT_UNFIT"
    FORMAT_LOSSY = "FORMAT_LOSSY"
    MEDIA_TYPE_UNSUPPORTED = "MEDIA_TYPE_UNSUPPORTED"
    LENGTH_REQUIRED = "LENGTH_REQUIRED"
    BUSY = "BUSY"
    INTERNAL = "INTERNAL"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text. Lines and columns count from 1; columns are characters."""

    line: int
    column: int

    @classmethod
    def at(cls, text: str, character: int) -> Place:
        """Return the place of a character, which counts from 0."""
        line = text.count("\n", 0, character) + 1
        return cls(line, character - text.rfind("\n", 0, character))


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong at one place of a body.

    `pointer` is an RFC 6901 JSON pointer from the body's root; `expected` and `found` are text for
    people; `suggestions` are the nearest known names where a name is wrong. `place` is set where
    no pointer leads, in text that is not JSON.
    """

    pointer: str
    code: str
    message: str
    expected: str = ""
    found: str = ""
    suggestions: tuple[str, ...] = ()
    place: Place | None = None


class Refused(Exception):
    """A request that breaks a rule: its code, one sentence, and where in the body it went wrong.

    `place` is set for a text that could not be parsed: it has no pointers, and so no faults.
    """

    def __init__(
        self,
        code: Code,
        detail: str,
        *,
        faults: Iterable[Fault] = (),
        suggestions: Iterable[str] = (),
        place: Place | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.faults = tuple(faults)
        self.suggestions = tuple(suggestions)
        self.place = place

    @property
    def errors(self) -> tuple[Fault, ...]:
        """Its faults, or the refusal itself as a fault of the whole body."""
        return self.faults or (Fault("", self.code, self.detail, suggestions=self.suggestions),)


@contextmanager
def at(pointer: str) -> Iterator[None]:
    """Let whatever is refused inside be a fault at this place of the request."""
    try:
        yield
    except Refused as refusal:
        fault = Fault(
            pointer,
            refusal.code,
            refusal.detail.removesuffix("."),
            suggestions=refusal.suggestions,
            place=refusal.place,
        )
        raise Refused(
            refusal.code, refusal.detail, faults=[fault], suggestions=refusal.suggestions
        ) from refusal


def echo(value: object) -> str:
    """Show a value in an error: its JSON, cut to a length that a person reads, always encodable."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=True, default=str)
    text = text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    return text if len(text) <= MAX_ECHO else f"{text[: MAX_ECHO - 1]}…"


# What can be wrong with all of a body; any other fault of a body makes it BODY_INVALID.
OF_WHOLE_BODY = frozenset(
    {
        Code.JSON_INVALID,
        Code.REQUEST_INVALID,
        Code.PARENT_INVALID,
        Code.CYCLE,
        Code.NOT_A_TARGET,
        Code.TOO_LARGE,
    }
)


def refuse_all(faults: Iterable[Fault]) -> None:
    """Raise one `Refused` for all faults of a stage, 100 shown; do nothing when there are none."""
    found = tuple(faults)
    if not found:
        return
    codes = {fault.code for fault in found}
    shared = [code for code in OF_WHOLE_BODY if codes == {code}]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    place = f" at {found[0].pointer}" if found[0].pointer else ""
    detail = f"Not accepted{place}: {found[0].message.removesuffix('.')}{more}."
    code = shared[0] if shared else Code.BODY_INVALID
    raise Refused(code, detail, faults=found[:MOST_FAULTS])
