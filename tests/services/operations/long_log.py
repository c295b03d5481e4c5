"""A log with a full tile, without a version for each of its events."""

from registry.models import User
from registry.services.core.transactions import write_lock
from registry.services.event_log.appending import EventEntry, append_events

EVENTS = 300  # a tile has 256


def lengthen_log(actor: User) -> None:
    """Append events until the first tile is full."""
    with write_lock():
        append_events([EventEntry("lints.replaced", "lints", "", {})] * EVENTS, actor=actor)
