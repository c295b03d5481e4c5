"""Tags of machine types with GPUs or other accelerators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalogue_tools.clouds.machines import (
    CATEGORY,
    MIB,
    Family,
    Machine,
    counted,
    cpu_tag,
    family_tag,
    machine_facts,
    machine_sources,
)
from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement, hardware, pages
from catalogue_tools.tags import GeneratedTag, Missing
from registry.domain.document import Json

# Facts about a card that would read as facts about the machine.
FACTS_OF_CARDS = (
    *("base_clock_hz", "boost_clock_hz", "compute_units", "launched"),
    *("memory_bandwidth_bytes_per_s", "memory_bytes", "peak_ops_per_s"),
    *("power_watts", "process_nm"),
)


@dataclass(frozen=True, slots=True)
class Accelerator:
    """An accelerator of a cloud. `reference` is its tag, empty for the reason that `reason` states.

    `memory_mib` is the memory of one as its driver shows it, 0 where no source states it.
    `memory_sources` state it, `sources` which machine has how many.
    """

    product: str
    reference: str
    reason: str
    memory_mib: int
    memory_sources: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def variant(self) -> str:
        """The variant of a family that has this accelerator, such as `l4`."""
        return self.reference.partition("/")[2].partition("@")[0]


def read_accelerators(cloud: str, *sources: str) -> dict[str, Accelerator]:
    """Return the accelerators of a cloud, by the cloud's names.

    `sources` are those of which machine has which, beyond those of the machine's family.
    """
    seen = read_table("spare-cores/nvidia_gpus")
    rows = {f"NVIDIA {row['name']}": row for row in seen.rows}
    return {
        row["name"]: _accelerator(row, rows.get(row["product"]), seen.url(path="data"), sources)
        for row in read_table("corrections/cloud_accelerators").rows
        if row["cloud"] == cloud
    }


def machine_tags(
    machines: Iterable[Machine], accelerators: Mapping[str, Accelerator]
) -> Iterator[GeneratedTag | Missing]:
    """Yield families and machines: their CPUs, or their accelerators with the CPUs as hosts.

    `accelerators` are those of the cloud, by its names. A machine whose accelerator is not among
    them has no tags.
    """
    families: dict[str, GeneratedTag] = {}
    missing: dict[str, Missing] = {}
    for machine in machines:
        accelerator = accelerators.get(machine.accelerator)
        if machine.accelerator and not accelerator:
            continue
        families[machine.family.name] = family_tag(machine.family)
        if accelerator and accelerator.reference:
            family = _family(machine.family, accelerator)
            families[family.name] = family
            yield cpu_tag(machine, is_variant=True)
            yield _accelerated(machine, family, accelerator)
        else:
            yield cpu_tag(machine)
        if accelerator and accelerator.reason:
            missing[accelerator.product] = Missing(accelerator.product, accelerator.reason)
    yield from families.values()
    yield from missing.values()


def _accelerator(row: Row, seen: Row | None, folder: str, sources: tuple[str, ...]) -> Accelerator:
    return Accelerator(
        row["product"],
        row.get("tag", ""),
        row.get("reason", ""),
        seen["memory_mib"] if seen else 0,
        (f"{folder}/{seen['seen_on']}/nvidia_smi/stdout",) if seen else (),
        sources,
    )


def _family(family: Family, accelerator: Accelerator) -> GeneratedTag:
    """Return what the machines of a family with one kind of accelerator share."""
    facts: dict[str, Json] = {
        "category": CATEGORY,
        "vendor": family.vendor,
        "family": f"{family.title} with {accelerator.product}",
    }
    facts |= dict.fromkeys(FACTS_OF_CARDS)
    statements = [Statement(facts, (*family.sources, *accelerator.sources))]
    if accelerator.memory_mib:
        memory = {"accelerator_memory_bytes": accelerator.memory_mib * MIB}
        statements.append(Statement(memory, accelerator.memory_sources))
    statements += machine_sources(family, accelerator.sources)
    return GeneratedTag(
        f"{family.name}:{accelerator.variant}",
        family.file,
        {
            "tag": accelerator.reference,
            "hardware": hardware(*statements),
        },
        f"What all {family.title} with {accelerator.product} share",
        pages(*statements),
        is_family=True,
    )


def _accelerated(machine: Machine, family: GeneratedTag, accelerator: Accelerator) -> GeneratedTag:
    """Return the tag of a machine's accelerators, several of which are one target."""
    facts = machine_facts(machine)
    if machine.accelerators:
        facts["accelerators"] = machine.accelerators
    number = f"{machine.accelerators} x " if machine.accelerators else ""
    return GeneratedTag(
        machine.name,
        family.file,
        {
            "tag": f"{family.name}@1",
            "host": f"{machine.name}:cpu@1",
            "hardware": facts,
        },
        f"{number}{accelerator.product}, and {counted(machine.cores, 'core')} as the host",
        machine.sources,
        aliases=machine.aliases,
    )
