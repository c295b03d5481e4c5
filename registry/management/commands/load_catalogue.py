"""Load the kinds and tags that ship with the registry."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from registry.services import catalogue
from registry.services.catalogue import Progress


class Command(BaseCommand):
    """`manage.py load_catalogue`: publish what ships and is not there yet."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Load, showing how far it has come."""
        made = catalogue.load(self._show)
        if self.stdout.isatty():
            self.stdout.write("\r\033[K", ending="")
        new = ", ".join(f"{count} {what}" for what, count in made.items() if count)
        self.stdout.write(f"Catalogue: {new or 'nothing new'}.")

    def _show(self, progress: Progress) -> None:
        if self.stdout.isatty():
            line = f"\r\033[K{progress.done}/{progress.total} {progress.step}"
            self.stdout.write(line, ending="")
        elif progress.done % 100 == 0:
            self.stdout.write(f"{progress.done} of {progress.total} tags")
