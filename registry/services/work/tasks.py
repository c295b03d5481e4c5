"""Defines what the worker is given to do, and how often a failed run is repeated."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

from django.utils import timezone

from registry.models import Duty

GoOn = Callable[[], bool]  # False once a run is to end: the worker stops, or another has its duty


class TaskFailed(Exception):
    """A run failed, for a reason outside of this program; it is repeated."""


class Interrupted(Exception):
    """A run was ended before it was done; the next worker repeats it."""


class Task(Protocol):
    """Something that the worker does again and again, in a thread of its own."""

    name: str  # of its duty, in the database
    interval: float  # seconds between two looks

    def is_due(self) -> bool:
        """Return whether there is something to do. Reads only, and little: it is asked often."""

    def run(self, may_go_on: GoOn) -> None:
        """Do it, as the only process that does. Ends soon after `may_go_on` has returned False.

        Raises `TaskFailed` or `Interrupted`.
        """


def may_retry(duty: Duty | None, first_pause: timedelta, max_pause: timedelta) -> bool:
    """Return whether enough time has passed since a failure; each pause is twice the last.

    There is no duty before its first run.
    """
    if duty is None or not duty.failures or duty.failed is None:
        return True
    pause = min(first_pause * 2 ** min(duty.failures - 1, 20), max_pause)
    since = timezone.now() - duty.failed
    return not timedelta() <= since < pause  # a failure in the future: the clock has gone back
