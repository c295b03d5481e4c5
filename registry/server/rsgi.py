"""The types of RSGI, the interface between granian and a Python application.

https://github.com/emmett-framework/granian/blob/master/docs/spec/RSGI.md
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol


class Headers(Protocol):
    """The headers of a request, with names in lower case.

    granian drops the values that have other bytes than ASCII, but not their names.
    """

    def __len__(self) -> int:
        """Return the number of different names."""

    def keys(self) -> list[str]:
        """Return the different names."""

    def items(self) -> list[tuple[str, str]]:
        """Return all headers in order; a repeated name occurs repeatedly."""

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the first value of a header, or the default."""


class RsgiScope(Protocol):
    """The head of a request."""

    http_version: str  # such as `1.1`
    server: str  # address and port
    client: str  # address and port
    scheme: str  # `http` or `https`
    method: str  # as sent
    path: str  # percent-decoded; U+FFFD replaces invalid UTF-8
    query_string: str  # without `?`, as sent
    authority: str | None  # the host in the request line, if any

    @property
    def headers(self) -> Headers:
        """Return the headers of the request."""


class Transport(Protocol):
    """A response that is sent in chunks; it ends when the last reference is dropped."""

    async def send_bytes(self, data: bytes) -> None:
        """Queue a chunk of the body."""


class Exchange(Protocol):
    """The body of a request, and its response. RSGI calls this the protocol."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Return the chunks of the body; an empty one if the connection breaks."""

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Send a response. Any thread may call this."""

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        """Send a response without a body. Any thread may call this."""

    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Transport:
        """Send the head of a response and return the transport for its body."""

    async def client_disconnect(self) -> None:
        """Return when the body of the response has been sent, or the connection is closed."""
