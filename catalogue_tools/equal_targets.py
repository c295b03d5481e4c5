"""Finds tags whose targets are equal, and targets that are the same machine for a compiler."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from catalogue_tools.in_memory import InMemoryRegistry, InMemoryVersion
from registry.domain.document import Json, canonical
from registry.domain.keys.build_key import compute_build
from registry.domain.reference import Tag


def equal_targets(
    registry: InMemoryRegistry, families: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of tags whose newest targets are equal, but for sources of hardware facts.

    Leaves out variants of one name, and tags of one family: those whose lineages, themselves
    included, share a tag in `families`.
    """
    newest = {tag: versions[-1] for tag, versions in registry.versions.items()}
    groups: dict[bytes, list[str]] = defaultdict(list)
    for tag in sorted(newest):
        groups[canonical(_without_sources(newest[tag].resolution.target))].append(tag)
    for tags in groups.values():
        for left, right in combinations(tags, 2):
            shared = _lineage(left, newest[left]) & _lineage(right, newest[right])
            if Tag.parse(left).name != Tag.parse(right).name and not shared & set(families):
                yield left, right


def equal_builds(registry: InMemoryRegistry) -> Mapping[str, list[str]]:
    """Return tags by the build key of their newest version, if several have it."""
    groups: dict[str, list[str]] = defaultdict(list)
    for tag, versions in sorted(registry.versions.items()):
        target = versions[-1].resolution.target
        if key := compute_build(target, registry.kinds).key:
            groups[key].append(tag)
    return {key: tags for key, tags in groups.items() if len(tags) > 1}


def _without_sources(target: Json, key: str = "") -> Json:
    if isinstance(target, list):
        return [_without_sources(item) for item in target]
    if not isinstance(target, dict):
        return target
    if key == "hardware":
        return {name: value for name, value in target.items() if name != "sources"}
    return {name: _without_sources(value, name) for name, value in target.items()}


def _lineage(tag: str, version: InMemoryVersion) -> set[str]:
    return {tag, *(ancestor.partition("@")[0] for ancestor in version.resolution.ancestors)}
