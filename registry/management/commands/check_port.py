"""Refuse to start a second server on a port."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.management.base import RegistryCommand
from registry.management.ports import refuse_unusable

HOST = "127.0.0.1"  # where `make serve` listens
MAX_PORT = 65_535  # of TCP


class Command(RegistryCommand):
    """The check that `make serve` runs first, before it creates a database."""

    help = f"Fail if another server listens on a port of {HOST}."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the port as text, to echo it in the message."""
        parser.add_argument("port", help=f"a number from 1 to {MAX_PORT}")

    def handle(self, *_args: Any, port: str, **_options: Any) -> None:
        """Raise `CommandError` unless a server can listen on the port."""
        number = int(port) if port.isascii() and port.isdigit() else 0
        if not 1 <= number <= MAX_PORT:
            raise CommandError(f"PORT must be a whole number from 1 to {MAX_PORT}, not “{port}”.")
        refuse_unusable(HOST, number, remedy="choose another one with `make serve PORT=…`.")
