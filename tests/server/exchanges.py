"""Requests as granian passes them on, and what was sent in response."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

Header = tuple[str, str]


@dataclass
class SentHeaders:
    """The headers of a request; a value that is not ASCII is unreadable, as in granian."""

    sent: list[Header]

    def __len__(self) -> int:
        return len(self.keys())

    def keys(self) -> list[str]:
        return list(dict(self.sent))

    @property
    def pairs(self) -> list[Header]:
        return [(name, value) for name, value in self.sent if value.isascii()]

    def items(self) -> list[Header]:
        return self.pairs

    def get(self, name: str, default: str | None = None) -> str | None:
        return next((value for key, value in self.pairs if key == name), default)


@dataclass
class SentScope:
    """The head of a request."""

    method: str = "GET"
    path: str = "/"
    query_string: str = ""
    headers: SentHeaders = field(default_factory=lambda: SentHeaders([]))
    authority: str | None = None
    http_version: str = "1.1"
    scheme: str = "http"
    client: str = "192.0.2.1:5000"
    server: str = "127.0.0.1:8000"


def scope(method: str, path: str, *headers: Header) -> SentScope:
    """Return a request with these headers, and a Host if they have none."""
    hosts = [] if "host" in dict(headers) else [("host", "localhost")]
    return SentScope(method, path, headers=SentHeaders([*hosts, *headers]))


class SentExchange:
    """A body that arrives in chunks, `delay` seconds apart, and the response to it.

    The client reads the response once `reads` is set.
    """

    def __init__(self, *chunks: bytes, delay: float = 0) -> None:
        self.reads = asyncio.Event()
        self._chunks: Sequence[bytes] = chunks
        self._delay = delay
        self.is_read = False
        self.status = 0
        self.headers: list[Header] = []
        self.body = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.is_read = True
        for chunk in self._chunks:
            await asyncio.sleep(self._delay)
            yield chunk

    def response_bytes(self, status: int, headers: list[Header], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    def response_empty(self, status: int, headers: list[Header]) -> None:
        self.response_bytes(status, headers, b"")

    def response_stream(self, status: int, headers: list[Header]) -> "SentExchange":
        self.response_bytes(status, headers, b"")
        return self

    async def send_bytes(self, data: bytes) -> None:
        self.body += data

    async def client_disconnect(self) -> None:
        await self.reads.wait()
