"""Errors, each with the exit code that the command returns for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import TypeVar

R = TypeVar("R")

MAX_ECHO = 100  # characters of a text that somebody else wrote, in a message


class ExitCode(IntEnum):
    """The exit codes of `ttag`. Scripts may rely on them."""

    OK = 0
    CHANGED = 1  # a check has found something: a stale lock, records that no longer apply
    USAGE = 2  # the command line or the settings are wrong
    REFUSED = 3  # the reference or body was refused: unknown, invalid, not locked
    UNREACHABLE = 4  # the registry gave no usable response
    TAMPERED = 5  # bytes do not have their digest, or a log does not prove what it should
    FILE = 6  # a local file cannot be read or written
    FORBIDDEN = 7  # the token is missing, or lacks the permission
    CONDITIONAL = 8  # code runs under conditions
    UNKNOWN = 9  # whether code runs is not known


class TtagError(Exception):
    """Any error of this package: a sentence, and similar names where a name was wrong.

    `others` are errors of the same call, where it was about several references.
    """

    exit_code = ExitCode.USAGE
    others: tuple[TtagError, ...] = ()

    def __init__(self, message: str, *, suggestions: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.suggestions = tuple(suggestions)

    def __str__(self) -> str:
        """Return one line: the sentence, and the nearest name if there is one."""
        if not self.suggestions:
            return self.message
        return f"{self.message} Did you mean {self.suggestions[0]}?"


class SettingsError(TtagError):
    """Settings that are missing or invalid."""


class NotUsable(TtagError):
    """A reference, a target or a body that cannot be used as it is."""

    exit_code = ExitCode.REFUSED


class ReferenceInvalid(NotUsable):
    """Text that is not a reference."""


class NotLocked(NotUsable):
    """A reference or format that the lock does not hold and that cannot be fetched."""


class NotMirrored(NotUsable):
    """Something that a registry can be asked for, and that a mirror does not hold."""


class Refused(TtagError):
    """An error response of the registry (RFC 9457): `code` says why, `faults` where in a body."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        suggestions: Iterable[str] = (),
        faults: Iterable[dict[str, object]] = (),
    ) -> None:
        super().__init__(message, suggestions=suggestions)
        self.code = code
        self.status = status
        self.faults = tuple(faults)

    @property
    def exit_code(self) -> ExitCode:  # type: ignore[override]  # depends on the status
        """FORBIDDEN if another token could help, otherwise REFUSED."""
        return ExitCode.FORBIDDEN if self.status in {401, 403} else ExitCode.REFUSED


class BodyInvalid(NotUsable):
    """A body that is not JSON, or that the registry would refuse."""


class TokenMissing(TtagError):
    """A write for which there is no token."""

    exit_code = ExitCode.FORBIDDEN


class Unreachable(TtagError):
    """A registry that does not respond, or not as a registry does.

    `sent` is true if the registry may have received the request and done what it asks for.
    """

    exit_code = ExitCode.UNREACHABLE

    def __init__(self, message: str, *, sent: bool = False) -> None:
        super().__init__(message)
        self.sent = sent


class NotFound(Unreachable):
    """A response 404 that no registry has sent: a wrong address, or a file that is not there."""


class Tampered(TtagError):
    """Bytes that do not have their digest: a registry, cache or lock that cannot be trusted."""

    exit_code = ExitCode.TAMPERED


class UnsafeTarget(NotUsable):
    """A target with a value that could make a compiler open, load or print something."""


class FileError(TtagError):
    """A local file that cannot be read or written."""

    exit_code = ExitCode.FILE


def attempt(call: Callable[..., R], *arguments: object, **options: object) -> R | TtagError:
    """Return what a call returns, or the error that it raises: one of several must not end all."""
    try:
        return call(*arguments, **options)
    except TtagError as error:
        return error


def or_raise(result: R | TtagError) -> R:
    """Return a result, or raise it if it is an error."""
    if isinstance(result, TtagError):
        raise result
    return result


def errors_in(results: Iterable[object]) -> list[TtagError]:
    """Return the errors among results of several references."""
    return [result for result in results if isinstance(result, TtagError)]


def echo(text: object, most: int = MAX_ECHO) -> str:
    """Return text that somebody else wrote, for a message: on one line, in ASCII, cut if long."""
    text = str(text)
    return ascii(text[:most]) + ("..." if len(text) > most else "")
