"""Run a registry to try it out."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command

from registry.management.base import RegistryCommand
from registry.management.commands.check_port import HOST

EXAMPLE = "/api/v1/resolve/arm/soc:aot"


class Command(RegistryCommand):
    """All that `make serve` does, in one process and the worker: starting one takes a second."""

    needs_migrations = False  # it applies them
    help = f"Create the database, load the catalogue, and run the server on {HOST}."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the port, as text, so that an error can show it."""
        parser.add_argument("port", help="the port to listen on")

    def handle(self, *_args: Any, port: str, **_options: Any) -> None:
        """Prepare everything and run the server; does not return. Changes nothing on a bad port."""
        call_command("check_port", "--", port)
        call_command("migrate", verbosity=0)
        call_command("load_catalogue", stdout=self.stdout)
        call_command("collectstatic", interactive=False, verbosity=0)
        url = f"http://{HOST}:{port}"
        self.stdout.write(f"\nTarget Tag Registry: {url}/\nTry: curl {url}{EXAMPLE}\n")
        self.stdout.flush()
        call_command("serve", port=int(port), work=True)
