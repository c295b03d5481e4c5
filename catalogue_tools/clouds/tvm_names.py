"""Generates versions that follow TVM's own of EC2 instances: with hosts and hardware."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.clouds.machines import CATEGORY, Machine, machine_facts, machine_sources
from catalogue_tools.facts import Row, read_table
from catalogue_tools.hardware import Statement
from catalogue_tools.tags import GeneratedTag, described_tag
from registry.domain.document import Json

TABLE = "tvm/aws_tags"


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
        *machine_sources(machine.family),
    )
