"""Tags of machine types with GPUs or other accelerators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from catalogue_tools.clouds.guests import FOLDERS, GPUS
from catalogue_tools.clouds.machines import (
    CATEGORY,
    Family,
    Machine,
    counted,
    cpu_tag,
    family_tag,
    machine_facts,
    machine_sources,
)
from catalogue_tools.facts import read_table, url_of
from catalogue_tools.hardware import MIB, Statement
from catalogue_tools.tags import GeneratedTag, Missing, described_tag
from registry.domain.document import Json

# Facts about a card that would read as facts about the machine.
FACTS_OF_CARDS = (
    *("base_clock_hz", "boost_clock_hz", "compute_units", "l2_cache_bytes", "l3_cache_bytes"),
    *("launched", "memory_bandwidth_bytes_per_s", "memory_bus_bits", "memory_bytes"),
    *("memory_options_bytes", "memory_type", "peak_ops_per_s", "power_watts", "process_nm"),
    "usable_memory_bytes",
)


@dataclass(frozen=True, slots=True)
class Accelerator:
    """An accelerator of a cloud. `reference` is its tag, empty for the reason that `reason` states.

    `memory_mib` is the memory of one as its driver shows it, 0 where no source states it.
    `memory_sources` state it, `sources` which machine has how many. `correction` says why earlier
    versions of its tags were wrong.
    """

    product: str
    reference: str
    reason: str
    memory_mib: int
    memory_sources: tuple[str, ...]
    sources: tuple[str, ...]
    correction: str = ""

    @property
    def variant(self) -> str:
        """The variant of a family that has this accelerator, such as `l4`."""
        return self.reference.partition("/")[2].partition("@")[0]


def read_accelerators(cloud: str, *sources: str) -> dict[str, Accelerator]:
    """Return the accelerators of a cloud, by the cloud's names.

    `sources` are those of which machine has which, beyond those of the machine's family.
    """
    return {
        row["name"]: Accelerator(
            row["product"],
            row.get("tag", ""),
            row.get("reason", ""),
            *_memory(cloud, row["product"]),
            sources,
            row.get("correction", ""),
        )
        for row in read_table("corrections/cloud_accelerators").rows
        if row["cloud"] == cloud
    }


# Decision 140: the memory of a cloud's GPU is what its driver shows in that cloud.
def _memory(cloud: str, product: str) -> tuple[int, tuple[str, ...]]:
    """Return the memory of a GPU in the machines of a cloud, or else in others, and the source.

    A cloud may keep error correction on in some machines only: the least is what all have.
    """
    cards = [row for row in read_table(GPUS).rows if _spelled(row["gpu"]) == _spelled(product)]
    here = [row for row in cards if row["cloud"] == cloud] or cards
    if not here:
        return 0, ()
    least = min(here, key=lambda row: row["memory_mib"])
    folder = FOLDERS.get(least["cloud"], least["cloud"])
    return least["memory_mib"], (
        url_of(GPUS, path=f"data/{folder}/{least['type']}/nvidia_smi/stdout"),
    )


def _spelled(product: str) -> str:
    """Return the name of a GPU without its maker, as drivers and lists spell it alike."""
    return product.removeprefix("NVIDIA ").replace("-", " ").upper()


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


def _family(family: Family, accelerator: Accelerator) -> GeneratedTag:
    """Return what the machines of a family with one kind of accelerator share."""
    title = f"{family.title} with {accelerator.product}"
    facts: dict[str, Json] = {"category": CATEGORY, "vendor": family.vendor, "family": title}
    memory = {"accelerator_memory_bytes": accelerator.memory_mib * MIB}
    return described_tag(
        f"{family.name}:{accelerator.variant}",
        family.file,
        {"tag": accelerator.reference},
        f"What all {title} share",
        Statement(facts | dict.fromkeys(FACTS_OF_CARDS), (*family.sources, *accelerator.sources)),
        Statement(memory if accelerator.memory_mib else {}, accelerator.memory_sources),
        *machine_sources(family, accelerator.sources),
        is_family=True,
        correction=accelerator.correction,
    )


def _accelerated(machine: Machine, family: GeneratedTag, accelerator: Accelerator) -> GeneratedTag:
    """Return the tag of a machine's accelerators, several of which are one target."""
    facts, number = machine_facts(machine), ""
    host = counted(machine.cores, "core") if machine.cores else counted(machine.threads, "vCPU")
    if machine.accelerators:
        facts["accelerators"] = machine.accelerators
        number = f"{machine.accelerators} x "
    return GeneratedTag(
        machine.name,
        family.file,
        {"tag": f"{family.name}@1", "host": f"{machine.name}:cpu@1", "hardware": facts},
        f"{number}{accelerator.product}, and {host} as the host",
        machine.sources,
        aliases=machine.aliases,
    )
