"""Writes results to standard output, and everything else to standard error."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from ttag.canonical_json import HIDDEN, escape_of, escaped
from ttag.errors import FileError

BOLD, RED, YELLOW, GREEN, PLAIN = (f"\x1b[{code}m" for code in (1, 31, 33, 32, 0))
PALETTE = re.compile(r"(\x1b\[(?:1|31|33|32|0)m)")
UNSAFE = re.compile(rf"[\x00-\x1f]|{HIDDEN.pattern}")  # in text of a registry


@dataclass
class Console:
    """Standard output and error, with colors only on a terminal that wants them."""

    out: TextIO
    err: TextIO
    environment: Mapping[str, str]
    json: bool = False
    quiet: bool = False
    input: TextIO = field(default_factory=lambda: sys.stdin)
    _progress: str = ""
    _warnings: set[str] = field(default_factory=set)

    @classmethod
    def standard(cls, environment: Mapping[str, str]) -> Console:
        """Return the console of this process. What its encoding lacks is written as escapes."""
        _buffer_output()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        # If the shell has closed one of them: what can only be read cannot be written.
        closed = Path(os.devnull)
        return cls(sys.stdout or closed.open(), sys.stderr or closed.open(), environment)

    @property
    def width(self) -> int | None:
        """The columns of the terminal; None if the output goes elsewhere and is not cut."""
        if not self.out.isatty():
            return None
        stated = self.environment.get("COLUMNS", "")
        return int(stated) if stated.isdecimal() else shutil.get_terminal_size().columns

    def line(self, text: str = "") -> None:
        """Write a line of the result, without control characters."""
        self.close()
        with self._writing():
            self.out.write(f"{printable(text)}\n")

    def text(self, text: str) -> None:
        """Write text of the result as it is, in UTF-8, for other programs."""
        self.close()
        with self._writing():
            if isinstance(self.out, io.TextIOWrapper):
                self.out.flush()
                self.out.buffer.write(text.encode())
            else:
                self.out.write(text)

    def flush(self) -> None:
        """Write what is still in memory. Raises `FileError`."""
        self.close()
        with self._writing():
            self.out.flush()

    def value(self, value: Any) -> None:
        """Write the result as JSON, for programs."""
        self.text(escaped(json.dumps(value, indent=2, ensure_ascii=False)) + "\n")

    def note(self, sentence: str) -> None:
        """Tell the user something that is neither result nor problem."""
        if not self.quiet:
            self._message(printable(sentence))

    def warn(self, sentence: str) -> None:
        """Warn, in one line. The same sentence is written once."""
        if sentence not in self._warnings:
            self._warnings.add(sentence)
            self.warn_again(sentence)

    def warn_again(self, sentence: str) -> None:
        """Warn in one line, even if the same sentence was written before."""
        self._message(self._colored(YELLOW, "warning: ", self.err) + _one_line(sentence))

    def error(self, sentence: str) -> None:
        """Report an error, in one line."""
        self._message(self._colored(RED, "error: ", self.err) + _one_line(sentence))

    def confirm(self, question: str) -> bool:
        """Ask a question that only `y` or `yes` answers positively."""
        self.close()
        self.err.write(f"{printable(question)} [y/N] ")
        self.err.flush()
        return self.input.readline().strip().lower() in {"y", "yes"}

    def progress(self, sentence: str) -> None:
        """Show how far long work is, on a terminal only; the next message replaces it."""
        if self.quiet or not self.err.isatty():
            return
        with suppress(OSError):
            self.err.write(f"\r\x1b[K{printable(sentence)}")
            self.err.flush()
        self._progress = sentence

    def styled(self, style: str, text: str) -> str:
        """Return text for standard output in a style, if colors are wanted there."""
        return self._colored(style, without_controls(text), self.out)

    def close(self) -> None:
        """Remove a progress line that is still shown."""
        if self._progress:
            with suppress(OSError):
                self.err.write("\r\x1b[K")
            self._progress = ""

    def _message(self, text: str) -> None:
        self.flush()  # into the same file, lines come in the order in which they were written
        try:
            self.err.write(f"{text}\n")
            self.err.flush()
        except OSError:  # nowhere to tell; the exit code says it
            _discard(self.err)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write to standard output. Raises `FileError` if that takes no more.

        A reader such as `head` may close the pipe; the command goes on, for its exit code.
        """
        try:
            yield
        except BrokenPipeError:
            _discard(self.out)
        except OSError as error:
            _discard(self.out)
            raise FileError(
                f"Standard output cannot be written: {error.strerror or 'it is closed'}."
            ) from error

    def _colored(self, style: str, text: str, stream: TextIO) -> str:
        # https://no-color.org: any value but the empty one turns colors off.
        wanted = stream.isatty() and not self.environment.get("NO_COLOR")
        return (
            f"{style}{text}{PLAIN}" if wanted and self.environment.get("TERM") != "dumb" else text
        )


def _buffer_output() -> None:
    """Have standard output take all of a text, or fail.

    Under PYTHONUNBUFFERED it has no buffer, and Python drops what a full disk did not take.
    """
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and isinstance(out.buffer, io.RawIOBase):
        sys.stdout = open(out.fileno(), "w", encoding=out.encoding, closefd=False)  # noqa: SIM115 - it stays open


def _discard(stream: TextIO) -> None:
    """Let nothing more come of a stream, which the interpreter flushes at its end."""
    with suppress(OSError):  # it has no file that could be replaced
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def printable(text: str) -> str:
    """Return text without control characters, except for the styles of this module."""
    return "".join(
        part if PALETTE.fullmatch(part) else without_controls(part) for part in PALETTE.split(text)
    )


def without_controls(text: str) -> str:
    """Return text on one line, with an escape for each character that shows nothing itself."""
    return UNSAFE.sub(lambda hidden: " " if hidden[0] in "\t\n\r" else escape_of(hidden[0]), text)


def _one_line(text: str) -> str:
    return without_controls(" ".join(text.split()))
