"""Sorts shipped tags into levels: each tag follows those that its bodies refer to."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from registry.domain.errors import Code, Refused
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
