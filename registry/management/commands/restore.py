"""Bring back what a backup holds, into a migrated registry that is empty."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.domain.errors import Refused
from registry.management.progress import Progress
from registry.services.operations import restore


class Command(BaseCommand):
    """`manage.py restore FILE`: all of it or nothing, verified before it counts."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where from."""
        parser.add_argument("file", help="what manage.py backup wrote, here or elsewhere")
        parser.add_argument(
            "--despite-findings",
            action="store_true",
            help="keep what does not verify; the findings are shown, and the exit status is 1",
        )

    def handle(
        self, *_args: Any, file: str, despite_findings: bool = False, **_options: Any
    ) -> None:
        """Restore it."""
        progress = Progress(self.stdout)
        try:
            restored = restore.restore(Path(file), progress, despite_findings=despite_findings)
        except Refused as refusal:
            progress.end()
            raise CommandError(refusal.detail) from refusal
        progress.end()
        self.stdout.write(f"Restored {restored.rows} rows.")
        for finding in restored.findings:
            self.stdout.write(str(finding))
        if restored.findings:
            raise CommandError(f"{len(restored.findings)} findings. All was kept.")
