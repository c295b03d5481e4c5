"""Publishes the shipped catalogue in memory."""

from __future__ import annotations

from registry.domain.kinds import Kind, Kinds
from registry.generator.in_memory import InMemoryRegistry
from registry.generator.lock import LockedVersion
from registry.services.catalogue.shipped_order import sort_into_levels
from registry.services.catalogue.waves import waves
from registry.services.core import shipped_facts


def publish_in_memory() -> InMemoryRegistry:
    """Return every shipped version, under the shipped kinds. Raises `Refused`."""
    registry = InMemoryRegistry(
        Kinds(Kind(name, 1, schema) for name, schema in shipped_facts.kinds().items())
    )
    for wave in waves(shipped_facts.every_tag(), shipped_facts.lock()):
        for level in sort_into_levels(wave):
            for tag in level:
                for version in tag.versions[len(registry.versions.get(tag.name, ())) :]:
                    registry.publish(tag.name, version.body)
    return registry


def locked_versions(registry: InMemoryRegistry) -> list[LockedVersion]:
    """Return all versions, as a lock file has them."""
    return [
        LockedVersion(tag, version.number, version.digest)
        for tag, versions in registry.versions.items()
        for version in versions
    ]
