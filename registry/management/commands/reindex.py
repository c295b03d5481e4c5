"""Rebuild the search index."""

from __future__ import annotations

from typing import Any

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.operations import rebuild


class Command(RegistryCommand):
    """`manage.py reindex`, to repair a search index that `verify` reports as outdated."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Rebuild the index with its totals, and give back space; other writes wait meanwhile."""
        progress = Progress(self.stdout)
        count = rebuild.rebuild_derived(progress)
        progress.end()
        self.stdout.write(f"Rebuilt the search index of {count} tags.")
        rebuild.release_rebuilt()
