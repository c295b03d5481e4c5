"""Recompute stored data and report differences."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.operations import verify


class Command(RegistryCommand):
    """`manage.py verify`, which prints a line per finding and exits with 1 if there are any."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="print only findings")

    def handle(self, *_args: Any, quiet: bool = False, **_options: Any) -> None:
        progress, count = Progress(self.stdout, quiet=quiet), 0
        for finding in verify.verify(progress):
            progress.end()
            self.stdout.write(str(finding))
            count += 1
        progress.end()
        if count:
            raise CommandError(f"{count} finding{'s' if count > 1 else ''}.")
        if not quiet:
            counts = ", ".join(f"{total} {step}" for step, total in progress.totals.items())
            self.stdout.write(f"Verified {counts}: no findings.")
