"""Generators are found in their modules, and do not guess what a table has lost."""

from dataclasses import replace

import pytest

from catalogue_tools.clouds import aws
from catalogue_tools.cpus import apple_chips, desktops
from catalogue_tools.facts import read_table, replaced_tables
from catalogue_tools.generators import GENERATORS, Generator
from catalogue_tools.gpus import amd, nvidia
from catalogue_tools.microcontrollers import boards


def test_generators_of_every_package_are_listed() -> None:
    assert {aws.tags, apple_chips.tags, amd.tags, boards.tags} <= set(GENERATORS)
    assert len(GENERATORS) == len(set(GENERATORS)) > 20


@pytest.mark.parametrize(
    ("table", "field", "generator"),
    [
        ("arm-socs-table/apple_chips", "dump", apple_chips.tags),
        ("intel-processors/products", "launched", desktops.tags),
        ("opendb/amd_memory", "memory_gib", amd.tags),
        ("opendb/nvidia_memory", "memory_gib", nvidia.tags),
        ("spare-cores/nvidia_gpus", "memory_mib", nvidia.tags),
        ("platformio/boards", "part", boards.tags),
        ("spare-cores/nvidia_gpus", "seen_on", nvidia.tags),
        ("spare-cores/machine_gpus", "memory_mib", aws.tags),
    ],
)
def test_field_that_a_subject_needs_cannot_vanish_unnoticed(
    table: str, field: str, generator: Generator
) -> None:
    rows = ({name: row[name] for name in row if name != field} for row in read_table(table).rows)
    lacking = replace(read_table(table), rows=tuple(rows))
    with replaced_tables({table: lacking}), pytest.raises(KeyError, match=field):
        list(generator())
