"""Errors of the registry: codes, faults, and the exception that carries them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from ttag_rules.echo import echo as echo  # noqa: PLC0414 - for whoever raises these errors

MAX_FAULTS = 100  # in one error; nobody reads more


# Decision 010: one enumeration, errors of the framework included.
class Code(StrEnum):
    """The reason why a request was rejected, with one HTTP status each."""

    REFERENCE_INVALID = "REFERENCE_INVALID"
    NAMESPACE_UNKNOWN = "NAMESPACE_UNKNOWN"
    TAG_UNKNOWN = "TAG_UNKNOWN"
    VERSION_UNKNOWN = "VERSION_UNKNOWN"
    DIGEST_UNKNOWN = "DIGEST_UNKNOWN"
    PROPOSAL_UNKNOWN = "PROPOSAL_UNKNOWN"
    NAMESPACE_REQUEST_UNKNOWN = "NAMESPACE_REQUEST_UNKNOWN"
    README_UNKNOWN = "README_UNKNOWN"
    USER_UNKNOWN = "USER_UNKNOWN"
    DRAFT_UNKNOWN = "DRAFT_UNKNOWN"
    KIND_UNKNOWN = "KIND_UNKNOWN"
    TILE_UNKNOWN = "TILE_UNKNOWN"
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
    OPTION_UNSAFE = "OPTION_UNSAFE"
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
    REQUEST_TIMEOUT = "REQUEST_TIMEOUT"
    BUSY = "BUSY"
    STORAGE_FULL = "STORAGE_FULL"
    READ_ONLY = "READ_ONLY"
    STORAGE_DAMAGED = "STORAGE_DAMAGED"
    LOG_UNAVAILABLE = "LOG_UNAVAILABLE"
    INTERNAL = "INTERNAL"


# The same request may succeed later: the state of the server rejects it, not its content.
TEMPORARY_CODES = frozenset({Code.BUSY, Code.STORAGE_FULL, Code.READ_ONLY, Code.STORAGE_DAMAGED})


@dataclass(frozen=True, slots=True)
class TextPosition:
    """A position in a text. Lines and columns count from 1; columns are characters."""

    line: int
    column: int

    @classmethod
    def from_offset(cls, text: str, offset: int) -> TextPosition:
        """Return the position of the character at an offset, which counts from 0."""
        line = text.count("\n", 0, offset) + 1
        return cls(line, offset - text.rfind("\n", 0, offset))


@dataclass(frozen=True, slots=True)
class Fault:
    """A single validation error in a body.

    `pointer` is a JSON pointer (RFC 6901) from the body's root; `expected` and `found` are readable
    text; `suggestions` are names similar to an unknown one. `place` is set for text that is not
    JSON, which has no pointers.
    """

    pointer: str
    code: str
    message: str
    expected: str = ""
    found: str = ""
    suggestions: tuple[str, ...] = ()
    place: TextPosition | None = None


class Refused(Exception):
    """An invalid request: an error code, one sentence, and the faults of the body.

    `place` is set for text that could not be parsed, which has no pointers and so no faults.
    """

    def __init__(
        self,
        code: Code,
        detail: str,
        *,
        faults: Iterable[Fault] = (),
        suggestions: Iterable[str] = (),
        place: TextPosition | None = None,
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
def report_errors_at(pointer: str) -> Iterator[None]:
    """Report an error raised inside as a fault at this pointer of the request."""
    try:
        yield
    except Refused as error:
        fault = Fault(
            pointer,
            error.code,
            error.detail.removesuffix("."),
            suggestions=error.suggestions,
            place=error.place,
        )
        raise Refused(
            error.code, error.detail, faults=[fault], suggestions=error.suggestions
        ) from error


def printable(text: str) -> str:
    """Return a name to look up; one with control characters, which no name has, is escaped."""
    return text if text.isprintable() else echo(text)


# Decision 005: a fault inside a body keeps its own code; the response names the whole.
# Codes for a whole body. Other faults of a body, and mixed ones, give BODY_INVALID.
WHOLE_BODY_CODES = frozenset(
    {
        Code.JSON_INVALID,
        Code.REQUEST_INVALID,
        Code.PARENT_INVALID,
        Code.CYCLE,
        Code.NOT_A_TARGET,
        Code.OPTION_UNSAFE,
        Code.TOO_LARGE,
    }
)


def first_faults(faults: Sequence[Fault], code: Code) -> tuple[Fault, ...]:
    """Return the first 100 faults, and one that counts the others if there are any."""
    more = len(faults) - MAX_FAULTS
    rest = [Fault("", code, f"{more} more errors are not listed")] if more > 0 else []
    return (*faults[:MAX_FAULTS], *rest)


def refuse_all(faults: Iterable[Fault], *, mixed: Code = Code.BODY_INVALID) -> None:
    """Raise one `Refused` with the first 100 faults; do nothing if there are none.

    `mixed` is its code unless all faults share one that a whole body can have.
    """
    all_faults = tuple(faults)
    if not all_faults:
        return
    codes = {fault.code for fault in all_faults}
    shared = [code for code in WHOLE_BODY_CODES if codes == {code}]
    raise refusal_of(all_faults, shared[0] if shared else mixed)


def refusal_of(faults: Sequence[Fault], code: Code, *, suggestions: Iterable[str] = ()) -> Refused:
    """Return the error for some faults, with a sentence about the first of them."""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    place = f" at {faults[0].pointer}" if faults[0].pointer else ""
    detail = f"Not accepted{place}: {faults[0].message.removesuffix('.')}{more}."
    return Refused(code, detail, faults=first_faults(faults, code), suggestions=suggestions)
