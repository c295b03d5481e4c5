"""Sends large responses within a limit on memory, because clients may read them slowly or never.

granian keeps a response in memory until the client has read it, without a deadline.
"""

from __future__ import annotations

from registry.server.rsgi import Exchange
from registry.server.wsgi_calls import Response

MIN_SIZE = 128 * 1024  # bytes; pages and resolutions have less, batches up to 8 MiB
CHUNK_SIZE = 64 * 1024  # bytes that are buffered for a connection at a time
MAX_BYTES = 256 * 1024 * 1024  # of all large responses that clients have not read yet


class ResponsesFull(Exception):
    """The large responses that clients have not read yet need too much memory."""


class LargeResponses:
    """The large responses of one process. Only its event loop may use this."""

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self.bytes = 0

    async def send(self, exchange: Exchange, response: Response) -> None:
        """Send a response, and return when the client has read it or is gone.

        Raises `ResponsesFull` without sending anything.
        """
        size = len(response.body)
        if self.bytes + size > self._max_bytes:
            raise ResponsesFull
        self.bytes += size
        try:
            await _stream(exchange, response)
            await exchange.client_disconnect()
        finally:
            self.bytes -= size


async def _stream(exchange: Exchange, response: Response) -> None:
    """Queue a response in chunks; the response ends when this function drops the transport."""
    transport = exchange.response_stream(response.status, response.headers)
    body = memoryview(response.body)
    for start in range(0, len(body), CHUNK_SIZE):
        await transport.send_bytes(bytes(body[start : start + CHUNK_SIZE]))


def is_large(response: Response) -> bool:
    """Return whether a response must be sent by `LargeResponses`."""
    return len(response.body) >= MIN_SIZE
