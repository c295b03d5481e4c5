"""Counts how often each tag is resolved, per day. Requests count in memory and never write.

A thread of each server process writes the counts every ten seconds, and when the process ends. A
process that crashes loses what it has not written yet.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import date
from itertools import islice

from django.db import connection

from registry.services.core import database_errors, stored_usage
from registry.services.core.stored_usage import Counts, today

RESOLVED_TAG = "registry.resolved_tag"  # in the WSGI environment: the tag of a counted response

INTERVAL = 10  # seconds between two flushes: what a crash loses
MAX_COUNTS = 50_000  # counts in memory, each of a tag and a day; about 15 MiB
BATCH = 500  # counts per transaction, which takes 30 ms
PAUSE = 0.1  # seconds between two transactions, for others that wait for SQLite's write lock

log = logging.getLogger(__name__)

_counts: Counts = {}
_counts_lock = threading.Lock()
_flush_lock = threading.Lock()
_last_upkeep: date | None = None  # the day on which the upkeep last found nothing to do


def count(tag: str, requests: int = 1) -> None:
    """Count requests that resolved a tag today. Only changes memory; any thread may call this.

    While 50,000 counts wait to be written, further tags are not counted.
    """
    _add((tag, today()), requests)


def _add(key: tuple[str, date], requests: int) -> None:
    with _counts_lock:
        if key in _counts or len(_counts) < MAX_COUNTS:
            _counts[key] = _counts.get(key, 0) + requests


def _take() -> Counts:
    global _counts
    with _counts_lock:
        taken, _counts = _counts, {}
        return taken


def start(is_paused: Callable[[], bool]) -> None:
    """Start the thread that writes the counts of this server process, unless writing is paused."""
    threading.Thread(target=_run, args=(is_paused,), name="usage").start()


def _run(is_paused: Callable[[], bool]) -> None:
    """Flush every ten seconds, and once more when the main thread has ended.

    Python waits for this thread before the process ends.
    """
    main, is_last = threading.main_thread(), False
    while not is_last:
        main.join(INTERVAL)
        is_last = not main.is_alive()
        try:
            flush_unless(is_paused)
        except Exception:
            log.exception("The counts of resolved tags could not be written.")
        finally:
            connection.close()


def flush_unless(is_paused: Callable[[], bool]) -> None:
    """Flush, unless writing is paused; the counts then wait, as if the database could not write."""
    with database_errors.optional_write():
        if not is_paused():
            flush()


# Decision 067: resolving must not become a write; a crash may lose ten seconds.
def flush() -> None:
    """Write what was counted since the last flush, in short transactions.

    If the database is busy or cannot write, the counts wait for the next flush. The first flush of
    a day, and those after it if there is much to do, also do the upkeep of the stored counts.
    """
    global _last_upkeep  # noqa: PLW0603 - once a day in each process
    with _flush_lock:
        counts = _take()
        try:
            while counts:
                batch = dict(islice(counts.items(), BATCH))
                if not stored_usage.add_counts(batch):
                    return
                for key in batch:
                    del counts[key]
                if counts:
                    time.sleep(PAUSE)
        finally:
            for key, requests in counts.items():
                _add(key, requests)
        if (day := today()) != _last_upkeep and stored_usage.do_upkeep(day):
            _last_upkeep = day
