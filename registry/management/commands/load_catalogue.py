"""Load the kinds and tags that ship with the registry."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.domain.errors import Refused
from registry.management.progress import Progress
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import COMMAND, LoadResult

MAX_SKIPPED = 20  # skipped names that are shown at every start of the server


class Command(BaseCommand):
    """`manage.py load_catalogue`, which publishes what ships and is missing."""

    help = __doc__
    requires_system_checks = ()  # `migrate`, which runs before, has run them

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add --plan and --adopt."""
        parser.add_argument(
            "--plan", action="store_true", help="show what would be loaded; nothing is written"
        )
        parser.add_argument(
            "--adopt",
            nargs="+",
            default=(),
            metavar="NAME",
            help="kinds, tags, aliases or namespaces to load as shipped, although others have "
            "changed them",
        )

    def handle(
        self, *_args: Any, plan: bool = False, adopt: tuple[str, ...] = (), **_options: Any
    ) -> None:
        """Load or plan with progress; then list the names left alone, with reasons."""
        progress = Progress(self.stdout)
        try:
            loaded = (loading.plan_load if plan else loading.load_catalogue)(progress, adopt=adopt)
        except Refused as refusal:
            raise CommandError(refusal.detail) from refusal
        finally:
            progress.end()
        if plan:
            self._list(loaded)
        self._show_skipped(loaded, len(loaded.left) if plan else MAX_SKIPPED)
        new = ", ".join(what.counted(count) for what, count in loaded.counts.items())
        would = "would load " if plan and new else ""
        self.stdout.write(f"Catalogue: {would}{new or 'nothing new'}.")

    def _list(self, loaded: LoadResult) -> None:
        for made in loaded.made:
            self.stdout.write(f"{made.what} {made.name}")
            self._note(made.notes)

    def _show_skipped(self, loaded: LoadResult, most: int) -> None:
        for left in loaded.left[:most]:
            self.stdout.write(f"Left alone: {left.why}")
            self._note(left.notes)
        if rest := len(loaded.left[most:]):
            self.stdout.write(f"Left alone: {rest} more. {COMMAND} --plan shows them.")

    def _note(self, notes: tuple[str, ...]) -> None:
        for note in notes:
            self.stdout.write(f"    {note}")
