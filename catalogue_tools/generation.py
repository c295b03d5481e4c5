"""Generates the shipped catalogue from the recorded facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from catalogue_tools.entries import Entry, ReleasedTag
from catalogue_tools.generate import Generation, generate
from catalogue_tools.subjects import SUBJECTS
from catalogue_tools.tags import WrittenTag
from registry.services.catalogue import lock
from registry.services.core import shipped_facts
from registry.services.core.catalogue_files import read_tags
from registry.services.core.shipped_facts import GENERATED, ShippedTag


def generate_shipped() -> Generation:
    """Return the files that the recorded facts give. Raises `GenerationError` or `LockError`."""
    written = {tag.name: _written(tag) for tag in shipped_facts.written_tags()}
    namespaces = [entry["name"] for entry in shipped_facts.every_namespace()]
    return generate(SUBJECTS, written, namespaces, _released(written))


def _released(written: Mapping[str, WrittenTag]) -> dict[str, ReleasedTag]:
    """Return the generated tags with the versions that the lock file has."""
    locked = Counter(version.tag for version in lock.read_lock().versions)
    for name, tag in written.items():
        locked[name] -= len(tag.bodies)
    return {
        entry["tag"]: ReleasedTag(file, entry | {"versions": entry["versions"][:count]})
        for file, entry in generated_entries()
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


def generated_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entries of generated files, each with its file, as subjects name it."""
    folder = shipped_facts.CATALOGUE / GENERATED
    for path in sorted(folder.rglob("*.json")):
        for entry in read_tags(path):
            yield str(path.relative_to(folder).with_suffix("")), entry
