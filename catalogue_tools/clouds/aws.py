"""Generates the families and instance types of EC2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from catalogue_tools.clouds import graviton
from catalogue_tools.clouds.accelerators import Accelerator, machine_tags, read_accelerators
from catalogue_tools.clouds.families import measured, measured_url, settled
from catalogue_tools.clouds.machines import MIB, Family, Machine, core_count
from catalogue_tools.clouds.newer import newer_tags
from catalogue_tools.clouds.processors import oldest, processor_list
from catalogue_tools.clouds.trainium import trainium_tags
from catalogue_tools.clouds.tvm_names import tvm_tags
from catalogue_tools.facts import Row, read_table
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

VENDOR = "AWS"
GENERATION = re.compile(r"[a-z]+[0-9]*")  # the families that share a file
TYPES = "karpenter/ec2_types"
P3_TYPES = "aws-guides/p3_types"
# Cascade Lake adds instructions for neural networks, and many machines of these families have it.
NEWER = {"aws/c5": "cascadelake", "aws/m5": "cascadelake"}


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the families of EC2, their instance types, and facts on which sources disagree."""
    families = {family.name: family for family in (*_families(), _p3())}
    machines = [*_machines(TYPES, families), *_machines(P3_TYPES, families)]
    accelerators = read_accelerators("aws")
    yield from machine_tags(machines, accelerators)
    yield from trainium_tags(machines)
    yield from newer_tags(machines, NEWER)
    yield from tvm_tags({machine.name: machine for machine in machines})
    yield from _memory_disagreements(accelerators)


def _families() -> Iterator[Family]:
    sizes, report = _sources(TYPES), measured_url("aws")
    processors = graviton.processors()
    for name, row in measured("aws").items():
        family = _family(
            name,
            row["models"],
            oldest(row["mcpus"]),
            row["threads_per_core"],
            sources=(*sizes, report),
            size_sources=sizes,
            core_sources=(report,),
        )
        own = processors.get(name)
        yield _with_graviton(family, own) if own else family


def _p3() -> Family:
    row = settled()["aws/p3"]
    sizes = _sources(P3_TYPES)
    return _family(
        "p3",
        [row["text"]],
        row["mcpu"],
        2,
        sources=(*sizes, row["source"]),
        size_sources=sizes,
        core_sources=(),
    )


def _sources(name: str) -> tuple[str, ...]:
    table = read_table(name)
    return tuple(table.url(source) for source in range(len(table.header["sources"])))


def _family(
    name: str,
    models: list[str],
    mcpu: str,
    threads_per_core: int,
    *,
    sources: tuple[str, ...],
    size_sources: tuple[str, ...],
    core_sources: tuple[str, ...],
) -> Family:
    title, processors = f"EC2 {name.capitalize()}", processor_list(models)
    shared = f"at least {mcpu}, the oldest of their processors" if len(models) > 1 else processors
    return Family(
        name=f"aws/{name}",
        file=f"aws/{_generation(name)}",
        vendor=VENDOR,
        title=title,
        processors=processors,
        message=f"What all {title} instances share: {shared}",
        mcpu=mcpu,
        threads_per_core=threads_per_core,
        sources=sources,
        size_sources=size_sources,
        core_sources=core_sources,
    )


def _with_graviton(family: Family, processor: Row) -> Family:
    name = f"AWS {processor['name']}"
    return replace(
        family,
        processors=name,
        message=f"What all {family.title} instances share: {name}",
        parent=f"aws/{processor['processor']}",
    )


def _generation(name: str) -> str:
    match = GENERATION.match(name)
    return match.group() if match else name


def _machines(table: str, families: Mapping[str, Family]) -> Iterator[Machine]:
    sources = _sources(table)
    for row in read_table(table).rows:
        family = families[f"aws/{row['type'].partition('.')[0]}"]
        yield Machine(
            name=f"aws/{row['type']}",
            model=row["type"],
            family=family,
            cores=row.get("cores") or core_count(row["vcpus"], family.threads_per_core),
            threads=row["vcpus"],
            memory_mib=row["memory_mib"],
            sources=sources,
            accelerator=row.get("gpu") or row.get("accelerator", ""),
            accelerators=row.get("gpus") or row.get("accelerators", 0),
        )


def _memory_disagreements(accelerators: Mapping[str, Accelerator]) -> Iterator[Disagreement]:
    table = read_table(TYPES)
    families: dict[str, Row] = {}
    for row in table.rows:
        accelerator = accelerators.get(row.get("gpu", ""))
        if "gpu_memory_mib" in row and accelerator and accelerator.reference:
            family = row["type"].partition(".")[0]
            families.setdefault(f"aws/{family}:{accelerator.variant}", row)
    for tag, row in families.items():
        accelerator = accelerators[row["gpu"]]
        if accelerator.memory_mib not in (0, row["gpu_memory_mib"]):
            yield Disagreement(
                tag,
                "hardware.accelerator_memory_bytes",
                {
                    table.url(): row["gpu_memory_mib"] * MIB,
                    accelerator.memory_sources[0]: accelerator.memory_mib * MIB,
                },
                "What the driver shows in such a machine.",
            )
