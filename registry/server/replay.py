"""Lets requests wait for a write that a standby has not replayed yet."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from registry.database.postgresql.positions import Position
from registry.server.quotas import Quota, QuotaUsed

MAX_WAIT = 1.0  # seconds; a standby that keeps up is some milliseconds behind
INTERVAL = 0.01  # seconds between two looks at what is known
MAX_WAITING, MAX_OF_NETWORK = 1024, 256  # requests


class NotReplayed(Exception):
    """The standby lacks the write, or too many requests wait for one."""


class Replay:
    """Knows how far this process's database has replayed the log.

    Decision 169: a writer never gets an answer that is older than its write.

    `known` returns the last position that was read, or None if there is none. Requests wait on the
    event loop, and so hold no thread.
    """

    def __init__(self, known: Callable[[], Position | None]) -> None:
        self._known = known
        self.waiting = Quota(MAX_WAITING, MAX_OF_NETWORK)

    async def wait_for(self, text: str, network: str) -> None:
        """Return once the database has a position, at once if the text states none.

        Raises `NotReplayed` after a second.
        """
        wanted = Position.parse(text)
        if wanted is None or self._has(wanted):
            return
        try:
            with self.waiting.one(network):
                await self._wait_for(wanted)
        except QuotaUsed:
            raise NotReplayed from None

    def _has(self, wanted: Position) -> bool:
        known = self._known()
        return known is not None and known.has(wanted)

    async def _wait_for(self, wanted: Position) -> None:
        for _ in range(round(MAX_WAIT / INTERVAL)):
            await asyncio.sleep(INTERVAL)
            if self._has(wanted):
                return
        raise NotReplayed
