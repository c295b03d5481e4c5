"""List tags of the shipped catalogue that are the same machine for a compiler."""

from __future__ import annotations

from typing import Any

from registry.generator.equal_targets import equal_builds
from registry.management.base import RegistryCommand
from registry.services.catalogue.in_memory import publish_in_memory


class Command(RegistryCommand):
    """`manage.py same_builds`, which shows for which tags one build is enough."""

    help = f"{__doc__} Their newest versions have one build key, so they need one build."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write a line for each build key that several tags have: the key, then the tags."""
        groups = equal_builds(publish_in_memory())
        for key, tags in sorted(groups.items(), key=lambda group: group[1]):
            self.stdout.write(" ".join((key, *tags)))
