"""Tags of machine types, and of the families that they inherit from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from catalogue_tools.clouds.processors import PLATFORMS, linux_target
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import MIB, Statement
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

CATEGORY = "cloud-instance"
MEASURED = "spare-cores/instance_families"


@dataclass(frozen=True, slots=True)
class Family:
    """The facts that the machine types of a family share.

    `title` names the family, `processors` those of its machines. `parent` is a tag that states the
    processor; without one the family states `mcpu`. `size_sources` state the threads and the memory
    of its machines, `core_sources` how many of these threads share a core.
    """

    name: str
    file: str
    vendor: str
    title: str
    processors: str
    message: str
    mcpu: str
    threads_per_core: int
    sources: tuple[str, ...]
    size_sources: tuple[str, ...]
    core_sources: tuple[str, ...]
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine type: physical cores, threads, and memory in MiB. `model` is its maker's name.

    `sources` state its size, `accelerator` is the cloud's name of its GPUs or other accelerators,
    `accelerators` their number, 0 for a part of one.
    """

    name: str
    model: str
    family: Family
    cores: int
    threads: int
    memory_mib: int
    sources: tuple[str, ...]
    accelerator: str = ""
    accelerators: int = 0
    aliases: tuple[str, ...] = ()


def family_tag(family: Family) -> GeneratedTag:
    """Return the tag of a family."""
    description = f"{family.title}: {family.processors}"
    facts = {"category": CATEGORY, "vendor": family.vendor, "family": description}
    return described_tag(
        family.name,
        family.file,
        {"tag": f"{family.parent}@1"} if family.parent else linux_target(family.mcpu),
        family.message,
        Statement(facts, family.sources),
        *machine_sources(family),
        sources=family.sources,
        is_family=True,
    )


def cpu_tag(machine: Machine, *, is_variant: bool = False) -> GeneratedTag:
    """Return the tag of a machine's CPU; as the variant `:cpu` if the machine is more than that."""
    return GeneratedTag(
        f"{machine.name}:cpu" if is_variant else machine.name,
        machine.family.file,
        {
            "tag": f"{machine.family.name}@1",
            "num-cores": machine.cores,
            "hardware": machine_facts(machine),
        },
        f"{counted(machine.threads, 'vCPU')} on {counted(machine.cores, 'core')}",
        machine.sources,
        aliases=() if is_variant else machine.aliases,
    )


def machine_sources(family: Family, accelerator_sources: Iterable[str] = ()) -> list[Statement]:
    """Return what states the facts that `machine_facts` returns for the machines of a family."""
    counts = (*family.size_sources, *family.core_sources, *accelerator_sources)
    return [
        Statement({}, counts, more_groups=("counts",)),
        Statement({}, family.size_sources, more_groups=("memory",)),
    ]


def machine_facts(machine: Machine) -> dict[str, Json]:
    """Return the hardware facts that a machine type adds to those of its family."""
    return {
        "model": machine.model,
        "cores": machine.cores,
        "threads": machine.threads,
        "memory_bytes": machine.memory_mib * MIB,
    }


def machine_of(row: Row, name: str, model: str, family: Family, **others: Any) -> Machine:
    """Return the machine type of a row of a table that states its vCPUs and memory."""
    threads = row["vcpus"]
    cores = row.get("cores") or core_count(threads, family.threads_per_core)
    return Machine(name, model, family, cores, threads, row["memory_mib"], **others)


def core_count(threads: int, threads_per_core: int) -> int:
    """Return the physical cores of so many threads: at least one."""
    return max(1, threads // threads_per_core)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, as `1 core` or `2 cores`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


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
    platform = next(name for name, platform in PLATFORMS.items() if platform == mcpu)
    return replace(
        family,
        name=f"{family.name}:{mcpu}",
        processors=platform,
        message=f"What {family.title} share that have the newer {platform}",
        mcpu=mcpu,
    )


def measured(cloud: str) -> dict[str, Row]:
    """Return what machines of a cloud report, by family."""
    return {row["family"]: row for row in read_table(MEASURED).rows if row["cloud"] == cloud}


def measured_url(cloud: str) -> str:
    """Return the address of what machines of a cloud report."""
    return url_of(MEASURED, path=f"data/{cloud}")


def settled() -> Mapping[str, Row]:
    """Return the rows of families whose processor no single source settles, by tag."""
    return rows_by("corrections/clouds", "family")
