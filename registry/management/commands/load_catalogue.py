"""Load the kinds and tags that ship with the registry."""

from __future__ import annotations

import gc
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.catalogue import loading
from registry.services.catalogue.load_run import COMMAND, LoadResult

MAX_SKIPPED = 20  # skipped names listed at every start of the server


class Command(RegistryCommand):
    """`manage.py load_catalogue`, which publishes the shipped versions that are missing."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--plan", action="store_true", help="show what would be loaded, without loading it"
        )
        parser.add_argument(
            "--adopt",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME",
            help="kinds, tags, aliases or namespaces to load as shipped despite local changes",
        )

    def handle(
        self, *_args: Any, plan: bool = False, adopt: Sequence[str] = (), **_options: Any
    ) -> None:
        """Load or plan, then list the skipped names with reasons."""
        gc.disable()  # nearly all objects live until the end; looking for others is a sixth of it
        progress = Progress(self.stdout)
        try:
            loaded = (loading.plan_load if plan else loading.load_catalogue)(progress, adopt=adopt)
        finally:
            progress.end()
        if plan:
            self._list(loaded)
        self._show_skipped(loaded, len(loaded.skipped) if plan else MAX_SKIPPED)
        new = ", ".join(item.count_phrase(count) for item, count in loaded.counts.items())
        would = "would load " if plan and new else ""
        self.stdout.write(f"Catalogue: {would}{new or 'nothing new'}.")

    def _list(self, loaded: LoadResult) -> None:
        for change in loaded.changes:
            self.stdout.write(f"{change.item} {change.name}")
            self._write_notes(change.notes)

    def _show_skipped(self, loaded: LoadResult, limit: int) -> None:
        for skipped in loaded.skipped[:limit]:
            self.stdout.write(f"Skipped: {skipped.reason}")
            self._write_notes(skipped.notes)
        if rest := len(loaded.skipped[limit:]):
            self.stdout.write(f"Skipped: {rest} more. {COMMAND} --plan shows them.")

    def _write_notes(self, notes: tuple[str, ...]) -> None:
        for note in notes:
            self.stdout.write(f"    {note}")
