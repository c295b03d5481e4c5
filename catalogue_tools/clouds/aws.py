"""Generates the families and instance types of EC2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from catalogue_tools.clouds import graviton
from catalogue_tools.clouds.accelerators import Accelerator, machine_tags, read_accelerators
from catalogue_tools.clouds.guests import measured, measured_url, other_threads
from catalogue_tools.clouds.machines import Family, Machine, machine_of, settled
from catalogue_tools.clouds.newer import newer_tags, with_newer
from catalogue_tools.clouds.processors import processor_list
from catalogue_tools.clouds.tvm_names import trainium_tags, tvm_tags
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import MIB
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

GENERATION = re.compile(r"[a-z]+[0-9]*")  # the families that share a file
TYPES = "karpenter/ec2_types"
P3_TYPES = "aws-guides/p3_types"
ANNOUNCED = "aws-guides/announced_families"


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the families of EC2, their instance types, and facts on which sources disagree."""
    families = {family.name: family for family in (*_measured(), *_announced(), _p3())}
    machines = [*_machines(TYPES, families), *_machines(P3_TYPES, families)]
    accelerators = read_accelerators("aws")
    yield from machine_tags(map(with_newer, machines), accelerators)
    yield from trainium_tags(machines)
    yield from newer_tags(machines)
    yield from tvm_tags({machine.name: machine for machine in machines})
    yield from _memory_disagreements(accelerators)


def _measured() -> Iterator[Family]:
    report = measured_url("aws")
    for name, guests in measured("aws").items():
        yield _family(
            name,
            guests.models,
            guests.mcpu,
            guests.threads_per_core,
            types=TYPES,
            pages=(report,),
            core_sources=(report,),
        )


def _announced() -> Iterator[Family]:
    page, sizes = url_of(ANNOUNCED), url_of(ANNOUNCED, 1)
    for row in read_table(ANNOUNCED).rows:
        yield _family(
            row["family"],
            [row["processor"]],
            row["mcpu"],
            row["threads_per_core"],
            types=TYPES,
            pages=(page,),
            core_sources=(sizes,),
        )


def _p3() -> Family:
    row = settled()["aws/p3"]
    return _family(
        "p3",
        [row["text"]],
        row["mcpu"],
        2,
        types=P3_TYPES,
        pages=(row["source"],),
        core_sources=(),
    )


def _family(
    name: str,
    models: list[str],
    mcpu: str,
    threads_per_core: int,
    *,
    types: str,
    pages: tuple[str, ...],
    core_sources: tuple[str, ...],
) -> Family:
    """Return a family whose machines are in the table `types`; `pages` state its processors."""
    title, sizes = f"EC2 {name.capitalize()}", _sources(types)
    processors, parent = processor_list(models), ""
    if chip := graviton.processors().get(mcpu):
        processors, parent = f"AWS {chip['name']}", f"aws/{chip['processor']}"
    shared = f"at least {mcpu}, the oldest of their processors" if len(models) > 1 else processors
    generation = GENERATION.match(name)
    return Family(
        name=f"aws/{name}",
        file=f"aws/{generation[0] if generation else name}",
        vendor="AWS",
        title=title,
        processors=processors,
        message=f"What all {title} instances share: {shared}",
        mcpu=mcpu,
        threads_per_core=threads_per_core,
        sources=(*sizes, *pages),
        size_sources=sizes,
        core_sources=core_sources,
        parent=parent,
    )


def _sources(name: str) -> tuple[str, ...]:
    return tuple(url_of(name, source) for source in range(len(read_table(name).header["sources"])))


def _machines(table: str, families: Mapping[str, Family]) -> Iterator[Machine]:
    threads = other_threads("aws")
    for row in read_table(table).rows:
        name = row["type"]
        yield machine_of(
            row | ({"threads_per_core": threads[name]} if name in threads else {}),
            f"aws/{name}",
            name,
            families[f"aws/{name.partition('.')[0]}"],
            sources=_sources(table),
            accelerator=row.get("gpu") or row.get("accelerator", ""),
            accelerators=row.get("gpus") or row.get("accelerators", 0),
        )


def _memory_disagreements(accelerators: Mapping[str, Accelerator]) -> Iterator[Disagreement]:
    families: dict[str, Row] = {}
    for row in read_table(TYPES).rows:
        accelerator = accelerators.get(row.get("gpu", ""))
        if "gpu_memory_mib" in row and accelerator and accelerator.reference:
            family = row["type"].partition(".")[0]
            families.setdefault(f"aws/{family}:{accelerator.variant}", row)
    for tag, row in families.items():
        stated, seen = row["gpu_memory_mib"], accelerators[row["gpu"]]
        if seen.memory_mib not in (0, stated):
            values = {url_of(TYPES): stated * MIB, seen.memory_sources[0]: seen.memory_mib * MIB}
            choice = "What the driver shows in such a machine."
            yield Disagreement(tag, "hardware.accelerator_memory_bytes", values, choice)
