"""Limits of NVIDIA's architectures, from the traits that CCCL states for each.

Names of families, and architectures that CCCL does not have, are kept by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError, require
from catalogue_tools.sources.reader import table_reader

PATH = "libcudacxx/include/cuda/__device/arch_traits.h"
START = re.compile(
    r"arch_traits<arch_id::(sm_\d+)>\(\) noexcept\s*\{\s*auto __traits\s*=\s*::cuda::"
    r"(?:arch_traits<arch_id::(sm_\d+)>|__common_arch_traits)\("
)
MEMBER = re.compile(r"__traits\.(\w+)\s*=\s*([^;]+);")
BY_DEFAULT = 48 * 1024  # bytes of shared memory that every block can have
REGISTERS = 64 * 1024  # of a block, unless an architecture states another number
RESERVED = 1024  # bytes that the driver takes of a block's shared memory from sm_80 on
OPTIN = "max_shared_memory_per_block_optin"


@dataclass(frozen=True, slots=True)
class Traits:
    """Registers of a block, bytes of shared memory of a multiprocessor and of a block."""

    registers: int
    multiprocessor: int
    block: int


@table_reader("cccl/nvidia_architectures", "NVIDIA/cccl", PATH, key="arch")
def read(clone: Clone, table: Table) -> Iterator[Row | str]:
    """Yield the table with CCCL's limits of the architectures that it has."""
    traits = _traits(clone.text(PATH))
    yield from (_renewed(row, traits) if row["source"] == 0 else row for row in table.rows)
    yield from (f"{arch}: no family is named for it" for arch in traits.keys() - table.by("arch"))


def _renewed(row: Row, traits: Mapping[str, Traits]) -> Row:
    if row["arch"] not in traits:
        raise SourceError(f"{PATH} has no traits of {row['arch']}, which the table has from it.")
    limits = traits[row["arch"]]
    facts: Row = {"registers_per_block": limits.registers}
    if limits.block > BY_DEFAULT:
        facts[OPTIN] = limits.block
    return {key: facts.get(key, value) for key, value in row.items()} | facts


def _traits(text: str) -> dict[str, Traits]:
    traits: dict[str, Traits] = {}
    starts = list(START.finditer(text))
    require(starts, PATH, "arch_traits of an architecture")
    for start in starts:
        arch, parent = start.groups()
        members = dict(MEMBER.findall(text[start.end() : text.index("return", start.end())]))
        traits[arch] = _limits(arch, members, traits[parent] if parent else None)
    return traits


def _limits(arch: str, members: Mapping[str, str], parent: Traits | None) -> Traits:
    def stated(member: str, otherwise: int) -> int:
        text = members.get(member)
        return _bytes(text, f"{member} of {arch}") if text else otherwise

    shared = stated("max_shared_memory_per_multiprocessor", parent.multiprocessor if parent else 0)
    optin = members.get(OPTIN, "")
    if "max_shared_memory_per_multiprocessor" in optin:
        reserved = RESERVED if int(arch.removeprefix("sm_")) >= 80 else 0
        block = shared - stated("reserved_shared_memory_per_block", reserved)
    else:
        block = stated(OPTIN, parent.block if parent else 0)
    registers = stated("max_registers_per_block", parent.registers if parent else REGISTERS)
    return Traits(registers, shared, block)


def _bytes(text: str, what: str) -> int:
    match = re.fullmatch(r"(\d+)(?: \* (1024))?", text)
    if not match:
        raise SourceError(f"{what} is {text!r}, not a number.")
    return int(match[1]) * int(match[2] or 1)
