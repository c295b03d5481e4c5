"""How far a command has come: a line that changes on a terminal, now and then one elsewhere."""

from __future__ import annotations

from typing import Any

EVERY = 10_000  # rows between two lines in a log


class Progress:
    """Called with a step's name, how much of it is done, and of how much."""

    def __init__(self, out: Any, *, quiet: bool = False) -> None:
        """`out` is a command's wrapped stream."""
        self.out = out
        self.quiet = quiet
        self.totals: dict[str, int] = {}  # by step, for a last line
        self.shown = 0

    def __call__(self, step: str, done: int, total: int) -> None:
        """Show it."""
        if total != self.totals.get(step):
            self.shown = 0
        self.totals[step] = total
        if self.quiet:
            return
        if self.out.isatty():
            self.out.write(f"\r\033[K{done}/{total} {step}", ending="")
            self.out.flush()
        elif done - self.shown >= EVERY:
            self.out.write(f"{done} of {total} {step}")
            self.shown = done

    def end(self) -> None:
        """Leave the line to what comes next."""
        if self.out.isatty() and not self.quiet:
            self.out.write("\r\033[K", ending="")
