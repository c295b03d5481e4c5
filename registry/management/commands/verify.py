"""Recompute what is stored, and report what differs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.management.progress import Progress
from registry.services.operations import verify


class Command(BaseCommand):
    """`manage.py verify`, which prints a line per finding and exits with 1 if there are any."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option --quiet."""
        parser.add_argument("--quiet", action="store_true", help="print nothing but findings")

    def handle(self, *_args: Any, quiet: bool = False, **_options: Any) -> None:
        """Verify the registry without changing it."""
        progress, found = Progress(self.stdout, quiet=quiet), 0
        for finding in verify.verify(progress):
            progress.end()
            self.stdout.write(str(finding))
            found += 1
        progress.end()
        if found:
            raise CommandError(f"{found} finding{'s' if found > 1 else ''}.")
        if not quiet:
            counts = ", ".join(f"{total} {step}" for step, total in progress.totals.items())
            self.stdout.write(f"Verified {counts}: no findings.")
