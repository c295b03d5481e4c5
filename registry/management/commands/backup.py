"""Write a backup of the registry to one file, while the server runs."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.operations import backups


class Command(RegistryCommand):
    """`manage.py backup FILE`, for `manage.py restore` on SQLite or PostgreSQL."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="replaced when complete, readable by its owner only; - for stdout"
        )
        parser.add_argument(
            "--keep", type=int, help="then delete others in its folder named YYYY-MM-DD.gz"
        )

    def handle(self, *_args: Any, file: str, keep: int | None = None, **_options: Any) -> None:
        """Write the backup. Messages go to stderr, because stdout may be the backup."""
        if keep is not None and keep < 1:
            raise CommandError("--keep is at least 1.")
        if keep is not None and file == "-":
            raise CommandError("--keep needs a file: standard output is in no folder.")
        progress = Progress(self.stderr)
        self.stderr.style_func = None
        if file == "-":
            count = backups.back_up(sys.stdout.buffer, progress)
        else:
            count = backups.back_up_to(Path(file), progress)
            if keep is not None:
                backups.delete_old(Path(file).parent, keep)
        progress.end()
        self.stderr.write(f"Backed up {count} rows.")
