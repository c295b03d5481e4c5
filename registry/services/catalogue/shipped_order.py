"""The order in which shipped tags are published: by release, and parents first.

A version that refers to `aws/c8g@1` was published when its release had certain versions of
`aws/c8g`. Loading releases one after the other gives it the same target in every registry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from registry.domain.errors import Code, Refused
from registry.services.catalogue.lock import Lock
from registry.services.core.shipped_facts import ShippedTag


def sort_into_levels(tags: Iterable[ShippedTag]) -> list[list[ShippedTag]]:
    """Return tags by level: those that refer to no others, those that refer to these, and so on.

    Raises `Refused` (CONFLICT), which names the files, if two tags share a name or alias, or tags
    refer to each other.
    """
    by_name: dict[str, ShippedTag] = {}
    for tag in tags:
        for name in (tag.name, *tag.aliases):
            if name in by_name:
                files = f"in {by_name[name].file} and {tag.file}"
                raise Refused(Code.CONFLICT, f"The catalogue has the name {name} twice: {files}.")
            by_name[name] = tag
    sorter = TopologicalSorter(
        {
            tag.name: {
                by_name[name].name
                for version in tag.versions
                for name in version.referenced_names
                if name in by_name
            }
            for tag in by_name.values()
        }
    )
    try:
        sorter.prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        places = ", ".join(f"{name} ({by_name[name].file})" for name in circle[1:])
        raise Refused(Code.CONFLICT, f"Tags of the catalogue refer to each other: {places}.") from (
            error
        )
    levels = []
    while sorter.is_active():
        names = sorter.get_ready()
        levels.append([by_name[name] for name in names])
        sorter.done(*names)
    return levels


def waves(tags: Iterable[ShippedTag], lock: Lock) -> Iterator[list[ShippedTag]]:
    """Yield the tags with the versions that they had in each release, and at last all versions.

    Leaves out tags to which a wave adds nothing.
    """
    remaining = list(tags)
    before: dict[str, int] = {}
    for counts in lock.counts():
        yield [
            replace(tag, versions=tag.versions[: counts[tag.name]])
            for tag in remaining
            if counts[tag.name] > before.get(tag.name, 0)
        ]
        before = dict(counts)
    yield [tag for tag in remaining if len(tag.versions) > before.get(tag.name, 0)]
