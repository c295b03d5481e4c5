"""Posts to an address of the public internet, within limits of time and size.

The host's name is looked up once; the connection goes to an address that was checked. A second
look-up could give another one (DNS rebinding), so there is none. No redirect is followed.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from registry.services.core.timed_http import Deadline

TIMEOUT = 5  # seconds for each step
DEADLINE = 10  # seconds for all of a request but the look-up of the name
MAX_RESPONSE = 1024  # bytes that are read, so that the connection ends in order

AddressRule = Callable[[str], bool]


class PostFailed(Exception):
    """No response arrived; the text says why, without what the other side sent."""


def post(url: str, body: bytes, headers: Mapping[str, str], is_allowed: AddressRule) -> int:
    """Post a body, and return the status of the response. Raises `PostFailed`."""
    parts = urlsplit(url)
    kind = _TlsConnection if parts.scheme == "https" else _Connection
    port = parts.port or kind.default_port  # without one, the last part of an IPv6 address is it
    connection = kind(parts.hostname or "", port, timeout=TIMEOUT)
    with Deadline(DEADLINE) as deadline, closing(connection):
        connection.is_allowed, connection.deadline = is_allowed, deadline
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, body, dict(headers))
            response = connection.getresponse()
            response.read(MAX_RESPONSE)
        except (OSError, HTTPException, ValueError) as error:
            reason = f"no response within {DEADLINE} s" if deadline.is_over else _reason(error)
            raise PostFailed(reason) from error
        return response.status


def _reason(error: Exception) -> str:
    """Return what failed. Texts of the other side are left out: its owner may not see them all."""
    if isinstance(error, _Forbidden):
        return str(error)
    if isinstance(error, ssl.SSLError):
        return f"TLS failed: {error.reason or type(error).__name__}"
    if isinstance(error, socket.gaierror):
        return "the host's name cannot be looked up"
    if isinstance(error, TimeoutError):
        return f"no response within {TIMEOUT} s"
    return f"the connection failed: {type(error).__name__}"


class _Forbidden(OSError):
    """The host has an address that webhooks may not reach."""


class _Connection(HTTPConnection):
    """A connection to an address that a rule allows, shut at a deadline."""

    is_allowed: AddressRule
    deadline: Deadline

    def connect(self) -> None:
        """Connect to the first address of the host that responds, if all of them are allowed."""
        entries = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [(family, address) for family, _, _, _, address in entries]
        if not addresses or not all(self.is_allowed(str(each[0])) for _, each in addresses):
            raise _Forbidden("the host is not on the public internet")
        self.sock = self._first(addresses)
        self.deadline.watch(self.sock)

    def _first(self, addresses: Sequence[tuple[socket.AddressFamily, Any]]) -> socket.socket:
        for number, (family, address) in enumerate(addresses, start=1):
            connected = socket.socket(family, socket.SOCK_STREAM)
            try:
                connected.settimeout(self.timeout)
                connected.connect(address)
            except OSError:
                connected.close()
                if number == len(addresses):
                    raise
            else:
                return connected
        raise OSError


class _TlsConnection(_Connection, HTTPSConnection):
    """The same with TLS; the certificate must be that of the host's name."""

    def connect(self) -> None:
        super().connect()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host)
