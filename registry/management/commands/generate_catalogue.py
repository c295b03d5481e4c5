"""Write the generated files of the catalogue from the recorded facts."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registry.generator.entries import ReleasedTag
from registry.generator.files import differences, write_files
from registry.generator.generate import Generation, GenerationError, generate
from registry.generator.lock import LockError
from registry.generator.subjects import SUBJECTS
from registry.generator.tags import WrittenTag
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag


class Command(BaseCommand):
    """`manage.py generate_catalogue`, for developers who change facts or subjects."""

    help = __doc__
    requires_system_checks = ()  # uses no models or settings

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add --check."""
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


def generate_shipped() -> Generation:
    """Return the files that the recorded facts give. Raises `GenerationError` or `LockError`."""
    written = {tag.name: _written(tag) for tag in shipped_facts.written_tags()}
    namespaces = [entry["name"] for entry in shipped_facts.every_namespace()]
    return generate(SUBJECTS, written, namespaces, _released(written))


def _released(written: Mapping[str, WrittenTag]) -> dict[str, ReleasedTag]:
    """Return the generated tags with the versions that the lock file has."""
    locked = Counter(version.tag for version in shipped_facts.lock().versions)
    for name, tag in written.items():
        locked[name] -= len(tag.bodies)
    return {
        entry["tag"]: ReleasedTag(file, entry | {"versions": entry["versions"][:count]})
        for file, entry in shipped_facts.generated_entries()
        if (count := locked[entry["tag"]]) > 0
    }


def _written(tag: ShippedTag) -> WrittenTag:
    return WrittenTag(
        tag.name,
        tag.aliases,
        tuple(version.body for version in tag.versions),
        tag.is_family,
        any(version.mirrors for version in tag.versions),
    )
