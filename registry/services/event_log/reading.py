"""Reads the log on from where a reader was: each event once, with what the reader writes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import Max

from registry.models import Event, LogCursor
from registry.services.event_log.appending import last_event_number

BATCH = 500  # events that are read together; a write holds the lock for what they cause

Write = Callable[[], object]
Prepare = Callable[[Sequence[Event]], Write]


def has_unread(reader: str) -> bool:
    """Return whether a reader has not read the last event. Two queries."""
    cursors = LogCursor.objects.filter(name=reader).values_list("number", flat=True)
    return last_event_number() > next(iter(cursors), 0)


# Decision 170: publishing enqueues nothing. The cursor and what follows of its events are one
# transaction, so that none is lost or handled twice, whenever a process ends.
def read_on(reader: str, prepare: Prepare) -> bool:
    """Read the next events and store what follows of them; return whether there may be more.

    `prepare` computes it without a lock, and returns the function that stores it.
    """
    cursor, _ = LogCursor.objects.get_or_create(name=reader, defaults={"number": 0})
    rows = Event.objects.filter(number__gt=cursor.number).select_related("actor")
    events = list(rows.order_by("number")[:BATCH])
    if not events:
        return False
    write = prepare(events)
    with transaction.atomic():
        unmoved = LogCursor.objects.filter(name=reader, number=cursor.number)
        if unmoved.update(number=events[-1].number):  # no other process was faster
            write()
    return True


def skip_to_end() -> None:
    """Let every reader go on after the last event. Call under the write lock."""
    last = Event.objects.aggregate(last=Max("number"))["last"] or 0
    LogCursor.objects.update(number=last)
