"""Receives the bodies of requests on the event loop, within limits on time and memory.

No thread waits for a slow client.
"""

from __future__ import annotations

import asyncio

from registry.server.quotas import Quota, QuotaUsed
from registry.server.rsgi import Exchange

# Decision 058: an event loop receives bodies, so slow clients hold no thread.
DEADLINE = 20  # seconds for a whole body: 1 MiB at 50 KiB/s
MAX_RECEIVING = 1024  # bodies at a time; a slow one costs a task and a connection
MAX_BYTES = 64 * 1024 * 1024  # of all bodies in memory, received or in use


class BodyTimeout(Exception):
    """The client did not send the whole body before the deadline."""


class BodyIncomplete(Exception):
    """The connection broke before the end of the body."""


class BodiesFull(Exception):
    """Too many bodies are being received, or they need too much memory."""


class Bodies:
    """The bodies of one process that are in memory; one network has at most half of them.

    Only its event loop may use this.
    """

    def __init__(
        self,
        *,
        deadline: float = DEADLINE,
        max_receiving: int = MAX_RECEIVING,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.deadline = deadline
        self.receiving = Quota(max_receiving, max_receiving // 2)
        self.bytes = Quota(max_bytes, max_bytes // 2)

    async def receive(self, exchange: Exchange, length: int, network: str) -> bytes:
        """Return a body with this Content-Length from a client's network. Release it after use.

        Raises `BodiesFull`, `BodyTimeout` or `BodyIncomplete`; then nothing is kept.
        """
        body = bytearray()
        try:
            with self.receiving.one(network):
                async with asyncio.timeout(self.deadline):
                    await self._collect(exchange, length, network, body)
        except BaseException as error:
            self.release(body, network)
            if isinstance(error, TimeoutError):
                raise BodyTimeout from error
            if isinstance(error, QuotaUsed):
                raise BodiesFull from None
            raise
        return bytes(body)

    async def _collect(
        self, exchange: Exchange, length: int, network: str, body: bytearray
    ) -> None:
        async for chunk in exchange:
            if not chunk:
                break
            self.bytes.take(network, len(chunk))
            body += chunk
        if len(body) != length:
            raise BodyIncomplete

    def release(self, body: bytes | bytearray, network: str) -> None:
        """Free the memory of a received body for others."""
        self.bytes.give_back(network, len(body))
