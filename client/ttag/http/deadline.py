"""One time limit for a whole answer: connecting, TLS, redirects, heads and bodies.

The time limit of a socket holds for each of its operations, so that a server which sends a byte now
and then is waited for without end. Here each operation gets what is left.
"""

from __future__ import annotations

import io
import socket
import time
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.request import HTTPHandler, HTTPSHandler, Request


@dataclass
class Deadline:
    """The moment at which waiting ends, on the monotonic clock."""

    moment: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Return the deadline so many seconds from now."""
        return cls(time.monotonic() + seconds)

    def remaining(self) -> float:
        """Return the seconds that are left. Raises `TimeoutError` if none are."""
        seconds = self.moment - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def allows(self, seconds: float) -> bool:
        """Return whether there is time left after so many seconds."""
        return time.monotonic() + seconds < self.moment

    def postpone(self, seconds: float) -> None:
        """Give as much more time."""
        self.moment += seconds


class LimitedHandler(HTTPSHandler, HTTPHandler):
    """Opens http and https addresses, within a deadline."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: Request) -> HTTPResponse:
        """Return the response, whose body is still to be read."""
        return self.do_open(partial(_HTTPConnection, deadline=self._deadline), req)

    def https_open(self, req: Request) -> HTTPResponse:
        """Return the response, whose body is still to be read."""
        return self.do_open(partial(_HTTPSConnection, deadline=self._deadline), req)


class _HTTPConnection(HTTPConnection):
    """A connection that ends at the deadline."""

    def __init__(self, *arguments: Any, deadline: Deadline, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline = deadline
        self._create_connection = self._connect_to_first

    def send(self, data: Any) -> None:
        if self.sock is not None:
            self.sock.settimeout(self._deadline.remaining())
        super().send(data)

    def response_class(self, sock: socket.socket, *arguments: Any, **options: Any) -> HTTPResponse:  # type: ignore[override]
        return HTTPResponse(_Reading(sock, self._deadline), *arguments, **options)  # type: ignore[arg-type]

    def _connect_to_first(
        self, address: tuple[str, int], timeout: object, source_address: object
    ) -> socket.socket:
        """Connect to the first address of a host that answers."""
        error = OSError("the host has no address")
        for *_, resolved in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
            host, port = str(resolved[0]), address[1]
            try:
                # The TLS handshake keeps this time limit.
                return socket.create_connection((host, port), self._deadline.remaining())
            except OSError as failure:
                error = failure
        raise error


class _HTTPSConnection(_HTTPConnection, HTTPSConnection):
    """The same, with TLS."""


@dataclass
class _Reading:
    """A substitute for a socket, from which a response takes a file to read."""

    sock: socket.socket
    deadline: Deadline

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_RawReader(self.sock, self.deadline))


class _RawReader(io.RawIOBase):
    """The bytes of a socket, until the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._file = sock.makefile("rb", buffering=0)  # keeps the socket open
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.remaining())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
