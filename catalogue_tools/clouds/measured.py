"""Generates machine types of clouds whose lists nobody publishes: those that were measured."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.guests import GPUS, Guests, gpus, measured, measured_url, other_threads
from catalogue_tools.clouds.machines import Family, Machine, machine_of, settled
from catalogue_tools.clouds.processors import processor_list
from catalogue_tools.facts import url_of
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag, Missing

CLOUDS = {  # titles, by namespace
    "alibaba": "Alibaba Cloud",
    "hetzner": "Hetzner Cloud",
    "ovh": "OVHcloud",
    "upcloud": "UpCloud",
    "vultr": "Vultr",
}
LINES = {"general": "General Purpose"}  # of plans whose names do not state it


def tags() -> Iterator[GeneratedTag | Missing]:
    """Yield the families and the machine types of these clouds."""
    for cloud in CLOUDS:
        families = {name: _family(cloud, name, seen) for name, seen in measured(cloud).items()}
        accelerators = read_accelerators(cloud, url_of(GPUS))
        yield from machine_tags(_machines(cloud, families), accelerators)


def _family(cloud: str, name: str, seen: Guests) -> Family:
    tag, report = f"{cloud}/{name}", measured_url(cloud)
    title, correction = f"{CLOUDS[cloud]} {_spelled(name)}", settled().get(tag)
    mcpu = correction["mcpu"] if correction else seen.mcpu
    processors = correction["text"] if correction else processor_list(seen.models)
    hidden = seen.hidden(mcpu)
    shared = processors if seen.mcpus == [mcpu] else f"at least {mcpu}, which all of them can run"
    return Family(
        name=tag,
        file=_file(cloud, name),
        vendor=CLOUDS[cloud],
        title=title,
        processors=processors,
        message=f"What all {title} machines share: {shared}{_without(hidden)}",
        mcpu=mcpu,
        threads_per_core=seen.threads_per_core,
        sources=(report, *([correction["source"]] if correction else [])),
        size_sources=(report,),
        core_sources=(),
        hidden=hidden,
        correction=correction["reason"] if correction else "",
    )


def _without(hidden: tuple[str, ...]) -> str:
    return f", without {', '.join(hidden)}, which the hypervisor hides" if hidden else ""


def _spelled(family: str) -> str:
    """Return a family as its cloud spells it: ecs.c6 at Alibaba, CPX and the like elsewhere."""
    return LINES.get(family) or (family if family.startswith("ecs.") else family.upper())


def _file(cloud: str, family: str) -> str:
    """Return the file of a family: one for each letter of the large clouds."""
    if family.startswith("ecs."):
        return f"{cloud}/{family[4:].rstrip('0123456789').rstrip('aeinrsty') or family[4]}"
    return f"{cloud}/{family.partition('-')[0]}"


def _machines(cloud: str, families: dict[str, Family]) -> Iterator[Machine]:
    cards, threads = gpus(cloud), other_threads(cloud)
    for name, seen in measured(cloud).items():
        has_cards = any(row["type"] in cards for row in seen.rows)
        for row in seen.rows:
            if has_cards and row["type"] not in cards:
                continue  # nvidia-smi failed there, or the card is another maker's
            tag, card = f"{cloud}/{slug(row['type'])}", cards.get(row["type"], {})
            alias = f"{cloud}/{row['type']}"
            yield machine_of(
                {
                    "vcpus": row["threads"],
                    "memory_mib": row.get("memory_mib", 0),
                    "threads_per_core": threads.get(row["type"], seen.threads_per_core),
                },
                tag,
                row["type"],
                families[name],
                sources=(measured_url(cloud),),
                accelerator=card.get("gpu", ""),
                accelerators=card.get("gpus", 0),
                aliases=() if alias == tag else (alias,),
            )
