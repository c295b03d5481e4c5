"""Generates the shipped catalogue from the recorded facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from registry.generator.entries import ReleasedTag
from registry.generator.generate import Generation, generate
from registry.generator.subjects import SUBJECTS
from registry.generator.tags import WrittenTag
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import ShippedTag


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
