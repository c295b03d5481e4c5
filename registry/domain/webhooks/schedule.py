"""States when a webhook that fails is tried again, and when it is given up."""

from __future__ import annotations

from datetime import timedelta

# After each failure in a row; the last one repeats.
PAUSES = (
    *(timedelta(seconds=5), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=2), timedelta(hours=5), timedelta(hours=10)),
)
GIVEN_UP_AFTER = timedelta(days=5)  # of failures, without a success in between
GONE = 410  # the status by which a receiver ends a webhook


def pause_after(failures: int) -> timedelta:
    """Return the pause after some failures in a row, at least one."""
    return PAUSES[min(failures, len(PAUSES)) - 1]
