"""Tags of EC2 instances that TVM names, with hosts and hardware, and of those with Trainium."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue_tools.clouds.machines import (
    CATEGORY,
    Machine,
    cpu_tag,
    family_tag,
    machine_facts,
    machine_sources,
)
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.hardware import IDENTITY, MIB, Statement
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

TABLE = "tvm/aws_tags"
ACCELERATORS = "aws-guides/accelerators"
TRAINIUM = "trainium"  # by the EC2 API
TVM_FAMILY = "aws/trn1"  # its instances have names of TVM's, such as aws/trn1/trn1.2xlarge
SIXTEEN_CHIPS = "aws/trn1/trn1.32xlarge"


def trainium_tags(machines: Iterable[Machine]) -> Iterator[GeneratedTag]:
    """Yield families, the CPUs of machines with Trainium, which are hosts, and what TVM lacks."""
    machines = [machine for machine in machines if machine.accelerator == TRAINIUM]
    yield from map(family_tag, dict.fromkeys(machine.family for machine in machines))
    for machine in machines:
        if machine.family.name == TVM_FAMILY:
            yield _tvm_host(machine)
        else:
            yield cpu_tag(machine, is_variant=True)
            yield _like_trn1(machine)


def _tvm_host(machine: Machine) -> GeneratedTag:
    host = cpu_tag(replace(machine, name=f"{TVM_FAMILY}/{machine.model}"), is_variant=True)
    return replace(host, aliases=(f"{machine.name}:cpu",))


def _like_trn1(machine: Machine) -> GeneratedTag:
    """Return a target with the chips of trn1.32xlarge. Raises `ValueError` for other numbers."""
    if machine.accelerators != 16:
        raise ValueError(f"{machine.model} has {machine.accelerators} chips of Trainium, not 16")
    return described_tag(
        machine.name,
        machine.family.file,
        {"tag": f"{SIXTEEN_CHIPS}@1", "host": f"{machine.name}:cpu@1"},
        "The 16 chips of trn1.32xlarge with a faster network",
        Statement({"category": CATEGORY, **machine_facts(machine)}, machine.sources),
        *machine_sources(machine.family),
        joined_groups=(IDENTITY, "counts"),
    )


def tvm_tags(machines: dict[str, Machine]) -> Iterator[GeneratedTag]:
    """Yield versions of TVM's tags. `machines` are those of EC2, by name."""
    for row in read_table(TABLE).rows:
        machine = machines[row["machine"].partition(":")[0]]
        yield _trainium(row, machine) if "trn" in row else _processor(row, machine)


def _processor(row: Row, machine: Machine) -> GeneratedTag:
    return GeneratedTag(
        row["tag"],
        machine.family.file,
        {"tag": f"{row['machine']}@1"},
        "The instance type of that name, with its hardware. Tuning records stay valid",
        machine.sources,
    )


def _trainium(row: Row, machine: Machine) -> GeneratedTag:
    facts: dict[str, Json] = {"category": CATEGORY, "vendor": "AWS", "family": "AWS Trainium"}
    facts |= machine_facts(machine) | {"accelerators": machine.accelerators}
    return described_tag(
        row["tag"],
        machine.family.file,
        {"kind": "trn", **row["trn"], "host": f"{row['tag']}:cpu@1"},
        "The host and the hardware are stated. Tuning records stay valid",
        Statement(facts, machine.sources),
        _chip_memory(),
        *machine_sources(machine.family),
    )


def _chip_memory() -> Statement:
    memory = rows_by(ACCELERATORS, "name")[TRAINIUM]["memory_mib"] * MIB
    return Statement({"accelerator_memory_bytes": memory}, [url_of(ACCELERATORS)])
