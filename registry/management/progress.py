"""Progress output of commands: one updated line on a terminal, occasional lines elsewhere."""

from __future__ import annotations

from typing import Any

LOG_INTERVAL = 10_000  # rows between two lines in a log


class Progress:
    """A callable that takes a step's name, the number of rows done and the total."""

    def __init__(self, out: Any, *, quiet: bool = False) -> None:
        """Write to `out`, a command's wrapped stream."""
        self.out = out
        self.quiet = quiet
        self.totals: dict[str, int] = {}  # by step
        self.last_shown = 0

    def __call__(self, step: str, done: int, total: int) -> None:
        if total != self.totals.get(step):
            self.last_shown = 0
        self.totals[step] = total
        if self.quiet:
            return
        if self.out.isatty():
            self.out.write(f"\r\033[K{done}/{total} {step}", ending="")
            self.out.flush()
        elif done - self.last_shown >= LOG_INTERVAL:
            self.out.write(f"{done} of {total} {step}")
            self.last_shown = done

    def end(self) -> None:
        """Clear the line on a terminal."""
        if self.out.isatty() and not self.quiet:
            self.out.write("\r\033[K", ending="")
