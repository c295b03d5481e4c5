"""Limits the database time of queries that users compose."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

from django.db import OperationalError, connection, transaction

from registry.database.deadlines import deadline, was_cancelled
from registry.domain.errors import Code, Refused

MAX_SECONDS = 2.0  # of database time for one search

T = TypeVar("T")


@contextmanager
def time_limit(seconds: float | None = None) -> Iterator[None]:
    """Limit the total time of all queries in the block, in seconds; by default to `MAX_SECONDS`.

    Raises `Refused` (BUSY) after that; the connection and a transaction stay usable.
    """
    seconds = MAX_SECONDS if seconds is None else seconds
    end = time.monotonic() + seconds
    is_inner = connection.vendor == "postgresql" and connection.in_atomic_block
    try:
        with transaction.atomic() if is_inner else nullcontext(), deadline(seconds):
            yield
    except OperationalError as error:
        if not was_cancelled(error) or time.monotonic() < end:
            raise
        raise Refused(
            Code.BUSY, f"The search took longer than {seconds:g} s; try a more specific search."
        ) from error


def unless_busy(compute: Callable[[], T]) -> T | None:
    """Return the result of a function; None if it is refused as BUSY, as after a time limit."""
    try:
        return compute()
    except Refused as refusal:
        if refusal.code is not Code.BUSY:
            raise
        return None
