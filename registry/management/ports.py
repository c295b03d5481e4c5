"""Refuses ports on which a server cannot listen; granian would share a taken port silently."""

from __future__ import annotations

import errno
import socket

from django.core.management.base import CommandError

MAX_PORT = 65_535  # of TCP


def parse_port(text: str) -> int:
    """Return a port. Raises `CommandError`, which echoes the text; 0 would be any port."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MAX_PORT:
        raise CommandError(f"PORT must be a whole number from 1 to {MAX_PORT}, not “{text}”.")
    return number


def refuse_unusable(host: str, port: int, *, remedy: str) -> None:
    """Raise `CommandError` with the reason and a remedy if a server cannot listen on a port."""
    try:
        _bind(host, port)
    except OSError as error:
        raise CommandError(explain(error, host, port, remedy)) from error


def _bind(host: str, port: int) -> None:
    """Bind a socket to the port and release it. Raises `OSError` if that fails.

    Without SO_REUSEPORT, which granian sets to share a port.
    """
    (family, kind, protocol, _, address), *_ = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    )
    with socket.socket(family, kind, protocol) as probe:
        # As in servers: recently closed connections do not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


def explain(error: OSError, host: str, port: int, remedy: str) -> str:
    """Return a message that says why the port cannot be used, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is taken: stop the server that listens there, or {remedy}"
    reason = error.strerror or error
    return f"The registry cannot listen on port {port} of {host} ({reason}): {remedy}"
