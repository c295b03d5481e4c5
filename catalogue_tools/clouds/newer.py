"""Variants of families, and of their machines, for a newer processor that some machines have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue_tools.clouds.machines import Family, Machine, cpu_tag, family_tag
from catalogue_tools.clouds.processors import PLATFORMS
from catalogue_tools.facts import Row, rows_by
from catalogue_tools.tags import GeneratedTag

TABLE = "corrections/newer_processors"


def with_newer(machine: Machine) -> Machine:
    """Return a machine with the newer processor of its family, if its size always has that."""
    row = rows_by(TABLE, "family").get(machine.family.name, {})
    if "always" in row and _size(machine) in row["sizes"]:
        newer = _variant(machine.family, row)
        return replace(machine, family=newer, correction=row["always"])
    return machine


def newer_tags(machines: Iterable[Machine]) -> Iterator[GeneratedTag]:
    """Yield the variants of families in the table, and of their machines.

    The name of a variant is LLVM's name of the newer processor. A size on which this hides what
    is new in it is as its family.
    """
    families: dict[str, Family] = {}
    for machine in machines:
        row = rows_by(TABLE, "family").get(machine.family.name)
        if row is None:
            continue
        newer = _variant(machine.family, row)
        if "always" not in row:  # else the machines of some sizes bring it
            families[newer.name] = newer
        if row["has_variants"]:
            yield _machine(machine, newer, row)
    yield from map(family_tag, families.values())


def _machine(machine: Machine, newer: Family, row: Row) -> GeneratedTag:
    name = f"{machine.name}:{row['mcpu']}"
    if "sizes" in row and _size(machine) not in row["sizes"]:
        return cpu_tag(replace(machine, name=name, aliases=(), correction=row["correction"]))
    return cpu_tag(replace(machine, name=name, family=newer, aliases=()))


def _variant(family: Family, row: Row) -> Family:
    mcpu = row["mcpu"]
    platform = next(name for name, platform in PLATFORMS.items() if platform == mcpu)
    return replace(
        family,
        name=f"{family.name}:{mcpu}",
        processors=platform,
        message=f"What {family.title} share that have the newer {platform}",
        mcpu=mcpu,
    )


def _size(machine: Machine) -> str:
    return machine.model.partition(".")[2]
