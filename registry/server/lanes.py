"""Threads with a bounded queue: requests of one lane do not wait for those of another.

The database has so many seconds for the job of a lane.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import TypeVar

from registry.database.deadlines import deadline
from registry.server.quotas import Quota, QuotaUsed
from registry.services.core import metrics

Result = TypeVar("Result")

MAX_WAIT = 20  # seconds in a queue, as long as a write then waits for the lock


class LaneFull(Exception):
    """Too many requests wait for a thread, all or those of a network, or this one for too long."""


class Lane:
    """A pool of threads with a queue. Only the event loop of the process may use this."""

    def __init__(
        self,
        name: str,
        *,
        threads: int,
        max_waiting: int,
        max_of_network: int,
        seconds: float = inf,
        max_wait: float = MAX_WAIT,
    ) -> None:
        self.name = name
        self._seconds = seconds
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._max_wait = max_wait
        self.jobs = Quota(threads + max_waiting, max_of_network)  # running or waiting

    async def run(self, job: Callable[[], Result], network: str) -> Result:
        """Return the result of a job that runs in a thread, for a client's network.

        Raises `LaneFull` without running it if the queue is full, if the network has its share of
        it, or if no thread is free in time.
        """
        try:
            with self.jobs.one(network):
                return await self._run(job)
        except QuotaUsed:
            metrics.count_full_lane(self.name)
            raise LaneFull from None

    async def _run(self, job: Callable[[], Result]) -> Result:
        future = self._executor.submit(self._after_waiting, time.perf_counter(), job)
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._max_wait, future.cancel)  # without effect on a running job
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if future.cancelled():
                metrics.count_full_lane(self.name)
                raise LaneFull from None
            raise
        finally:
            timer.cancel()

    def _after_waiting(self, start: float, job: Callable[[], Result]) -> Result:
        """Run a job in a thread that is free now; it has waited since `start`."""
        metrics.count_wait(self.name, time.perf_counter() - start)
        with deadline(self._seconds):
            return job()

    def close(self) -> None:
        """Finish the running jobs and end the threads."""
        self._executor.shutdown(cancel_futures=True)
