"""Refuse to start a second server on a port."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from registry.management.base import RegistryCommand
from registry.management.ports import MAX_PORT, parse_port, refuse_unusable

HOST = "127.0.0.1"  # where `make serve` listens


class Command(RegistryCommand):
    """The check that `make serve` runs first, before it creates a database."""

    help = f"Fail if another server listens on a port of {HOST}."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the port as text, to echo it in the message."""
        parser.add_argument("port", help=f"a number from 1 to {MAX_PORT}")

    def handle(self, *_args: Any, port: str, **_options: Any) -> None:
        """Raise `CommandError` unless a server can listen on the port."""
        remedy = "choose another one with `make serve PORT=…`."
        refuse_unusable(HOST, parse_port(port), remedy=remedy)
