"""Restore a backup into a migrated, empty registry."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.operations import restore


class Command(RegistryCommand):
    """`manage.py restore FILE`, which verifies the backup and restores all of it or nothing."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that manage.py backup wrote")
        parser.add_argument(
            "--despite-findings",
            action="store_true",
            help="restore and list the findings instead of failing; the exit status is 1",
        )

    def handle(
        self, *_args: Any, file: str, despite_findings: bool = False, **_options: Any
    ) -> None:
        """Restore the backup and show the findings."""
        progress = Progress(self.stdout)
        try:
            restored = restore.restore(Path(file), progress, despite_findings=despite_findings)
        finally:
            progress.end()
        self.stdout.write(f"Restored {restored.rows} rows.")
        for finding in restored.findings:
            self.stdout.write(str(finding))
        if damage := sum(finding.is_damage for finding in restored.findings):
            raise CommandError(f"{damage} findings of damage; all rows were restored.")
