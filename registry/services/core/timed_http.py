"""HTTP requests that end by a deadline, however slowly the other side sends its bytes.

A timeout of a socket is one for each step: a byte every few seconds would go on for ever.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from threading import Timer
from types import TracebackType
from typing import Any, Self, cast
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
)


class Deadline:
    """Shuts the connections that it watches once a time is over.

    Looking up a host's name takes as long as the resolver permits.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.is_over = False
        self._sockets: list[socket.socket] = []
        self._timer = Timer(seconds, self._shut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        for copy in self._sockets:
            copy.close()

    def watch(self, connected: socket.socket) -> None:
        """Shut a connection at the deadline. A copy of its socket outlives the start of TLS."""
        self._sockets.append(connected.dup())
        if self.is_over:
            self._shut()

    def _shut(self) -> None:
        self.is_over = True
        for copy in self._sockets:
            with suppress(OSError):  # it has ended
                copy.shutdown(socket.SHUT_RDWR)


class TimedOpener(Deadline):
    """Opens addresses until a deadline. It follows no redirects."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self._opener: OpenerDirector = build_opener(_NoRedirects, _Http(self), _Https(self))

    def open(self, request: str | Request, *, timeout: float) -> HTTPResponse:
        """Send a request, of an address a GET. Raises as `urlopen` does.

        `timeout` is for each of its steps.
        """
        return cast(HTTPResponse, self._opener.open(request, timeout=timeout))


class _WatchedConnection(HTTPConnection):
    """A connection that is watched from its first byte on, ahead of TLS."""

    deadline: Deadline

    def connect(self) -> None:
        super().connect()
        self.deadline.watch(self.sock)


class _WatchedTlsConnection(HTTPSConnection, _WatchedConnection):
    """The same with TLS, which `HTTPSConnection` starts once the other class has connected."""


class _Http(HTTPHandler):
    def __init__(self, opener: TimedOpener) -> None:
        super().__init__()
        self._connect = partial(_connection, _WatchedConnection, opener)

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(self._connect, req)


class _Https(HTTPSHandler):
    def __init__(self, opener: TimedOpener) -> None:
        super().__init__()
        self._connect = partial(_connection, _WatchedTlsConnection, opener)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(self._connect, req)


def _connection(
    kind: type[_WatchedConnection], opener: TimedOpener, host: str, **options: Any
) -> _WatchedConnection:
    """Return a connection that `opener` watches."""
    connection = kind(host, **options)
    connection.deadline = opener
    return connection


class _NoRedirects(HTTPRedirectHandler):
    """Rejects redirects: keys come from the address that the operator has chosen."""

    def redirect_request(self, *_: Any) -> None:
        return None
