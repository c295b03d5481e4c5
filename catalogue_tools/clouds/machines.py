"""Tags of machine types, and of the families that they inherit from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from catalogue_tools.clouds.processors import linux_target
from catalogue_tools.facts import Row, rows_by
from catalogue_tools.hardware import MIB, Statement
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

CATEGORY = "cloud-instance"


@dataclass(frozen=True, slots=True)
class Family:
    """The facts that the machine types of a family share.

    `title` names the family, `processors` those of its machines. `parent` is a tag that states the
    processor; without one the family states `mcpu` without the features that its machines hide.
    `size_sources` state the threads and the memory of its machines, `core_sources` how many of
    these threads share a core. `threads_per_core` is 0 if a hypervisor hides it.
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
    hidden: tuple[str, ...] = ()
    correction: str = ""  # why an earlier version of its tag was wrong


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine type: physical cores, threads, and memory in MiB. `model` is its maker's name.

    Cores and memory are 0 if no source states them.

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
    correction: str = ""  # why an earlier version of its tag was wrong


def family_tag(family: Family) -> GeneratedTag:
    description = f"{family.title}: {family.processors}"
    facts = {"category": CATEGORY, "vendor": family.vendor, "family": description}
    return described_tag(
        family.name,
        family.file,
        {"tag": f"{family.parent}@1"}
        if family.parent
        else linux_target(family.mcpu, family.hidden),
        family.message,
        Statement(facts, family.sources),
        *machine_sources(family),
        sources=family.sources,
        correction=family.correction,
        is_family=True,
    )


def cpu_tag(machine: Machine, *, is_variant: bool = False) -> GeneratedTag:
    """Return the tag of a machine's CPU; as the variant `:cpu` if the machine is more than that."""
    cores: dict[str, Json] = {"num-cores": machine.cores} if machine.cores else {}
    tag = described_tag(
        f"{machine.name}:cpu" if is_variant else machine.name,
        machine.family.file,
        {"tag": f"{machine.family.name}@1", **cores},
        _size(machine),
        Statement(machine_facts(machine), machine.sources),
        aliases=() if is_variant else machine.aliases,
        correction=machine.correction,
    )
    if machine.sources != machine.family.size_sources:
        return tag
    return replace(tag, body={**tag.body, "hardware": machine_facts(machine)})  # its family's pages


def _size(machine: Machine) -> str:
    threads = counted(machine.threads, "vCPU")
    if machine.cores:
        return f"{threads} on {counted(machine.cores, 'core')}"
    return f"{threads}; the hypervisor hides which share a core"


def machine_sources(family: Family, accelerator_sources: Iterable[str] = ()) -> list[Statement]:
    """Return what states the facts that `machine_facts` returns for the machines of a family."""
    counts = (*family.size_sources, *family.core_sources, *accelerator_sources)
    return [
        Statement({}, counts, more_groups=("counts",)),
        Statement({}, family.size_sources, more_groups=("memory",)),
    ]


def machine_facts(machine: Machine) -> dict[str, Json]:
    """Return the hardware facts that a machine type adds to those of its family."""
    facts: dict[str, Json] = {
        "model": machine.model,
        "cores": machine.cores,
        "threads": machine.threads,
        "memory_bytes": machine.memory_mib * MIB,
    }
    return {name: value for name, value in facts.items() if value}


def machine_of(row: Row, name: str, model: str, family: Family, **others: Any) -> Machine:
    """Return the machine type of a row of a table that states its vCPUs and memory.

    A row may state cores, or threads per core other than those of the family.
    """
    threads = row["vcpus"]
    threads_per_core = row.get("threads_per_core", family.threads_per_core)
    cores = row.get("cores") or core_count(threads, threads_per_core)
    return Machine(name, model, family, cores, threads, row.get("memory_mib", 0), **others)


def core_count(threads: int, threads_per_core: int) -> int:
    """Return the physical cores of so many threads: at least one, or 0 if nobody knows."""
    return max(1, threads // threads_per_core) if threads_per_core else 0


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, as `1 core` or `2 cores`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def settled() -> Mapping[str, Row]:
    """Return the rows of families whose processor no single source settles, by tag."""
    return rows_by("corrections/clouds", "family")
