"""Tasks that read the event log on, each from its own cursor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from registry.services.work.tasks import GoOn, Interrupted


@dataclass
class LogReading:
    """Reads new events for as long as there are some."""

    name: str
    has_unread: Callable[[], bool]
    read: Callable[[], bool]  # the next events; returns whether there may be more
    interval: float = 1.0  # news arrive within seconds; a look is two queries by primary key

    def is_due(self) -> bool:
        """Return whether there are unread events."""
        return self.has_unread()

    def run(self, may_go_on: GoOn) -> None:
        """Read to the end of the log. Raises `Interrupted`."""
        while self.read():
            if not may_go_on():
                raise Interrupted
