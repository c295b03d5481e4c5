"""Recompute the lints of all versions."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from registry.management.base import RegistryCommand
from registry.management.progress import Progress
from registry.services.accounts import users
from registry.services.core.permissions import Actor
from registry.services.operations import linting


class Command(RegistryCommand):
    """`manage.py lint --actor alice`, after an upgrade that knows other names."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--actor", required=True, help="the account named in the log")

    def handle(self, *_args: Any, actor: str, **_options: Any) -> None:
        """Replace the lints that have changed; other writes can happen meanwhile."""
        progress = Progress(self.stdout)
        try:
            operator = Actor.operator(users.find_user(actor))
            result = linting.lint_all(actor=operator, report=progress)
        finally:
            progress.end()
        self.stdout.write(
            f"Linted {result.versions} versions: {result.linted} have lints, "
            f"{result.changed} changed."
        )
