"""Release the catalogue: record the number and digest of every version, and the migrations."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.generator.lock import LOCK, LockError, extend_lock, lock_text
from registry.management.base import RegistryCommand
from registry.services.catalogue.in_memory import locked_versions, publish_in_memory
from registry.services.core import shipped_facts


class Command(RegistryCommand):
    """`manage.py lock_catalogue`, for those who release the registry."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the name of the release."""
        parser.add_argument("release", help="the release, as in CHANGELOG.md: 0.1")

    def handle(self, *_args: Any, release: str, **_options: Any) -> None:
        """Add a release of all versions that the lock file lacks."""
        try:
            lock = shipped_facts.lock()
            shipped, migrations = locked_versions(publish_in_memory()), shipped_facts.migrations()
            longer = extend_lock(lock, shipped, migrations, release)
        except LockError as error:
            raise CommandError(str(error)) from error
        (shipped_facts.CATALOGUE / LOCK).write_text(lock_text(longer), encoding="utf-8")
        self.stdout.write(f"{release} has {len(longer.releases[-1].versions)} new versions.")
