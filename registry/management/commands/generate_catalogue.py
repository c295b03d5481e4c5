"""Write the generated files of the catalogue from the recorded facts."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from registry.generator.files import differences, write_files
from registry.generator.generate import GenerationError
from registry.generator.lock import LockError
from registry.management.base import RegistryCommand
from registry.services.catalogue.generation import generate_shipped
from registry.services.core import shipped_facts


class Command(RegistryCommand):
    """`manage.py generate_catalogue`, for developers who change facts or subjects."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option --check."""
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing; fail if the files are not what the facts give",
        )

    def handle(self, *_args: Any, check: bool = False, **_options: Any) -> None:
        """Write the files, or with --check list those that differ and fail."""
        try:
            generation = generate_shipped()
        except (GenerationError, LockError) as error:
            raise CommandError(str(error)) from error
        if not check:
            changes = write_files(generation.files, shipped_facts.CATALOGUE)
        elif changes := list(differences(generation.files, shipped_facts.CATALOGUE)):
            raise CommandError("\n".join((*changes, "Run manage.py generate_catalogue.")))
        for line in changes:
            self.stdout.write(line)
        self.stdout.write(f"{len(generation.files)} files are as the facts give them.")
