"""Cores by name, which chips use in any number: those of Arm, and of RISC-V."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json

PROFILES = {
    "a": "arm/application-cores",
    "r": "arm/real-time-cores",
    "m": "arm/microcontroller-cores",
}
AHEAD_OF_TIME = "micro/aot@1"


def tags() -> Iterator[GeneratedTag]:
    """Yield Arm's cores, those for microcontrollers ahead of time too, and RISC-V cores."""
    arm, riscv = read_table("llvm/arm_cores"), read_table("llvm/riscv_cores")
    for row in arm.rows:
        yield _arm_core(row, arm)
        if row["profile"] == "m":
            yield _ahead_of_time(row, arm)
    for row in riscv.rows:
        yield _riscv_core(row, riscv)


def _arm_core(row: Row, table: Table) -> GeneratedTag:
    source = table.url(row["source"])
    if row["profile"] == "m":
        body = {"kind": "c", "keys": ["arm_cpu", "cpu"], "mcpu": row["mcpu"]}
        message = f"C for {row['title']}, bare metal"
    else:
        triple = row.get("triple") or LINUX["aarch64" if row["bits"] == 64 else "arm"]
        body = llvm_target(triple, row["mcpu"])
        system = "bare metal" if "triple" in row else "Linux"
        message = f"Code for {row['title']}, {row['bits']}-bit, {system}"
    body["hardware"] = _core_facts("Arm", row, source)
    return GeneratedTag(_arm_name(row), PROFILES[row["profile"]], body, message, (source,))


def _ahead_of_time(row: Row, table: Table) -> GeneratedTag:
    name = _arm_name(row)
    return GeneratedTag(
        f"{name}:aot",
        PROFILES["m"],
        {"tag": [f"{name}@1", AHEAD_OF_TIME]},
        f"{row['title']}, compiled ahead of time",
        (table.url(row["source"]),),
    )


def _riscv_core(row: Row, table: Table) -> GeneratedTag:
    source = table.url(row["source"])
    body = llvm_target(
        LINUX["riscv"], row.get("mcpu", "generic-rv64"), row.get("mattr", ()), "lp64d"
    )
    body["hardware"] = _core_facts(row["vendor"], row, source)
    message = f"Code for {row['title']} under Linux"
    return GeneratedTag(f"riscv/{row['name']}", "riscv/cores", body, message, (source,))


def _arm_name(row: Row) -> str:
    return f"arm/{row['mcpu']}"


def _core_facts(vendor: str, row: Row, source: str) -> dict[str, Json]:
    facts = {"category": "cpu-core", "vendor": vendor, "model": row["title"]}
    return root_hardware(Statement(facts, [source]))
