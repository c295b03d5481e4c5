"""Refuse to start a second server on a port."""

from __future__ import annotations

import errno
import os
import socket
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

HOST = "127.0.0.1"  # where `make serve` listens
LAST = 65_535  # of TCP


class Command(BaseCommand):
    """Run by `make serve` before anything else: granian shares a taken port without a word."""

    help = f"Fail where another server listens on a port of {HOST}."
    requires_system_checks = ()  # it reads no model and no setting

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the port as text, to name it in the message."""
        parser.add_argument("port", help=f"a number from 1 to {LAST}")

    def handle(self, *_args: Any, port: str, **_options: Any) -> None:
        """Raise `CommandError` unless a server could listen on the port."""
        number = int(port) if port.isascii() and port.isdigit() else 0
        if not 1 <= number <= LAST:
            raise CommandError(f"PORT must be a whole number from 1 to {LAST}, not “{port}”.")
        try:
            bind(number)
        except OSError as error:
            raise CommandError(explain(error, number)) from error


def bind(port: int) -> None:
    """Bind a socket to the port, and let go of it. Raises `OSError` where that is impossible.

    Without SO_REUSEPORT, by which granian binds beside whoever sets it too.
    """
    with socket.socket() as probe:
        # As servers do: connections that have ended keep nobody from listening.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HOST, port))


def explain(error: OSError, port: int) -> str:
    """Return why nobody can listen on the port, and what to do about it, in one sentence."""
    remedy = "choose another one with `make serve PORT=…`."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {HOST} is taken: stop the server that listens there, or {remedy}"
    reason = os.strerror(error.errno) if error.errno else str(error)
    return f"The registry cannot listen on port {port} of {HOST} ({reason}): {remedy}"
