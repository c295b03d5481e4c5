"""Lanes of requests that cost much: those of a network that has used its budget begin later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from typing import Any

from registry.http.limiter import network as network_of
from registry.server.budgets import Budget
from registry.server.lanes import Lane, Result
from registry.server.quotas import Quota, QuotaUsed
from registry.services.core import metrics

MAX_PAUSE = 20  # seconds, as long as a request may wait in a queue
MAX_PAUSED, MAX_OF_NETWORK = 1024, 32  # requests
# Of whoever runs the registry, or of a proxy that the settings do not name, which is everybody.
OWN_NETWORKS = frozenset(map(network_of, ("127.0.0.1", "::1")))
REFUSAL = 2  # seconds until a request is refused: each refusal takes a millisecond


class BudgetUsed(Exception):
    """A network has used its budget for longer than requests wait; it has some in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"for {seconds:.1f} s")
        self.seconds = ceil(seconds)


class PacedLane(Lane):
    """A lane with a budget of processor time for each network.

    Requests beyond it wait on the event loop, in the order in which they came, and hold no thread.
    The machine's own address has no budget.
    Only the event loop of the process may use this.
    """

    def __init__(self, name: str, *, budget: Budget, **limits: Any) -> None:
        super().__init__(name, **limits)
        self._budget = budget
        self.paused = Quota(MAX_PAUSED, MAX_OF_NETWORK)
        self._refused = Quota(MAX_PAUSED, MAX_PAUSED // 2)

    async def run(self, job: Callable[[], Result], network: str) -> Result:
        """Return the result of a job, as a lane does, once its network may take the time.

        Raises `LaneFull`, or `BudgetUsed` if that would be too late or too many of the network
        wait.
        """
        if network in OWN_NETWORKS:
            return await super().run(job, network)
        taken = 0.0

        def timed() -> Result:
            nonlocal taken
            start = time.thread_time()
            try:
                return job()
            finally:
                taken = time.thread_time() - start

        reservation = self._budget.reserve(network)
        try:
            if reservation.pause:
                await self._wait(reservation.pause, network)
            return await super().run(timed, network)
        finally:
            self._budget.settle(reservation, taken)

    async def _wait(self, seconds: float, network: str) -> None:
        """Wait for the turn of a request. Raises `BudgetUsed`, after a while."""
        metrics.count_pause(self.name)
        try:
            if seconds > MAX_PAUSE:
                raise QuotaUsed
            with self.paused.one(network):
                await asyncio.sleep(seconds)
        except QuotaUsed:
            metrics.count_full_lane(self.name)
            # A client that asks again at once would take more time with refusals than with pages.
            with suppress(QuotaUsed), self._refused.one(network):
                await asyncio.sleep(REFUSAL)
            raise BudgetUsed(seconds) from None
