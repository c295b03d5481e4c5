"""Tags for the newer processors of families that have several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from catalogue_tools.clouds.machines import Family, Machine, cpu_tag, family_tag
from catalogue_tools.clouds.processors import PLATFORMS
from catalogue_tools.tags import GeneratedTag

PLATFORM_NAMES = {mcpu: platform for platform, mcpu in PLATFORMS.items()}


def newer_tags(machines: Iterable[Machine], newer: Mapping[str, str]) -> Iterator[GeneratedTag]:
    """Yield a variant of each family in `newer`, and of its machines.

    `newer` maps names of families to the processor that some of their machines have, by LLVM's
    name, which is also the variant.
    """
    variants: dict[str, Family] = {}
    for machine in machines:
        mcpu = newer.get(machine.family.name)
        if mcpu is None:
            continue
        family = variants.setdefault(machine.family.name, _variant(machine.family, mcpu))
        yield cpu_tag(replace(machine, name=f"{machine.name}:{mcpu}", family=family, aliases=()))
    yield from map(family_tag, variants.values())


def _variant(family: Family, mcpu: str) -> Family:
    platform = PLATFORM_NAMES[mcpu]
    return replace(
        family,
        name=f"{family.name}:{mcpu}",
        processors=platform,
        message=f"What {family.title} share that have the newer {platform}",
        mcpu=mcpu,
    )
