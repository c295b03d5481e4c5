"""What a command writes: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

BOLD, RED, YELLOW, GREEN, DIM, PLAIN = (
    "\x1b[1m",
    "\x1b[31m",
    "\x1b[33m",
    "\x1b[32m",
    "\x1b[2m",
    "\x1b[0m",
)


@dataclass
class Console:
    """Standard output and error, with colors only on a terminal that wants them."""

    out: TextIO
    err: TextIO
    environment: Mapping[str, str]
    json: bool = False
    quiet: bool = False
    _progress: str = ""

    @classmethod
    def standard(cls, environment: Mapping[str, str]) -> Console:
        """Return the console of this process."""
        return cls(sys.stdout, sys.stderr, environment)

    def line(self, text: str = "") -> None:
        """Write a line of the result."""
        self.out.write(f"{text}\n")

    def text(self, text: str) -> None:
        """Write text of the result as it is."""
        self.out.write(text)

    def value(self, value: Any) -> None:
        """Write the result as JSON, for programs."""
        self.out.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    def note(self, sentence: str) -> None:
        """Tell the user something that is neither result nor problem."""
        if not self.quiet:
            self._message(sentence)

    def warn(self, sentence: str) -> None:
        """Warn, in one line."""
        self._message(self._colored(YELLOW, "warning: ", self.err) + _one_line(sentence))

    def error(self, sentence: str) -> None:
        """Report an error, in one line."""
        self._message(self._colored(RED, "error: ", self.err) + _one_line(sentence))

    def progress(self, sentence: str) -> None:
        """Show how far long work is, on a terminal only; the next message replaces it."""
        if self.quiet or not self.err.isatty():
            return
        self.err.write(f"\r\x1b[K{sentence}")
        self.err.flush()
        self._progress = sentence

    def styled(self, style: str, text: str) -> str:
        """Return text for standard output in a style, if colors are wanted there."""
        return self._colored(style, text, self.out)

    def close(self) -> None:
        """Remove a progress line that is still shown."""
        if self._progress:
            self.err.write("\r\x1b[K")
            self._progress = ""

    def _message(self, text: str) -> None:
        self.close()
        self.err.write(f"{text}\n")

    def _colored(self, style: str, text: str, stream: TextIO) -> str:
        # https://no-color.org: any value but the empty one turns colors off.
        wanted = stream.isatty() and not self.environment.get("NO_COLOR")
        return (
            f"{style}{text}{PLAIN}" if wanted and self.environment.get("TERM") != "dumb" else text
        )


def _one_line(text: str) -> str:
    return " ".join(text.split())
