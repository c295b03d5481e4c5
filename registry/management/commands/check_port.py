"""Refuse to start a second server on a port."""

from __future__ import annotations

import errno
import os
import socket
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

HOST = "127.0.0.1"  # where `make serve` listens
MAX_PORT = 65_535  # of TCP


class Command(BaseCommand):
    """The check that `make serve` runs first: granian would share a taken port silently."""

    help = f"Fail if another server listens on a port of {HOST}."
    requires_system_checks = ()  # uses no models or settings

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the port as text, to echo it in the message."""
        parser.add_argument("port", help=f"a number from 1 to {MAX_PORT}")

    def handle(self, *_args: Any, port: str, **_options: Any) -> None:
        """Raise `CommandError` unless a server can listen on the port."""
        number = int(port) if port.isascii() and port.isdigit() else 0
        if not 1 <= number <= MAX_PORT:
            raise CommandError(f"PORT must be a whole number from 1 to {MAX_PORT}, not “{port}”.")
        try:
            bind(number)
        except OSError as error:
            raise CommandError(explain(error, number)) from error


def bind(port: int) -> None:
    """Bind a socket to the port and release it. Raises `OSError` if that fails.

    Without SO_REUSEPORT, which granian sets to share a port.
    """
    with socket.socket() as probe:
        # As in servers: recently closed connections do not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HOST, port))


def explain(error: OSError, port: int) -> str:
    """Return a message that says why the port cannot be used, and what to do."""
    remedy = "choose another one with `make serve PORT=…`."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {HOST} is taken: stop the server that listens there, or {remedy}"
    reason = os.strerror(error.errno) if error.errno else str(error)
    return f"The registry cannot listen on port {port} of {HOST} ({reason}): {remedy}"
