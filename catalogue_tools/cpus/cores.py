"""Cores by name, which chips use in any number: those of Arm, and of RISC-V."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.arm_features import CRYPTOGRAPHY, OPTIONAL_CRYPTOGRAPHY, mattr
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import GeneratedTag, ahead_of_time, described_tag
from registry.domain.document import Json

ARM, RISCV = "llvm/arm_cores", "llvm/riscv_cores"
OPTIONAL = "AES and SHA-2 are options of this core, and chips without them exist or may exist"
PROFILES = {
    "a": "arm/application-cores",
    "r": "arm/real-time-cores",
    "m": "arm/microcontroller-cores",
}


def tags() -> Iterator[GeneratedTag]:
    """Yield Arm's cores, those for microcontrollers ahead of time too, and RISC-V cores."""
    for row in read_table(ARM).rows:
        tag = _arm_core(row)
        yield tag
        if row["profile"] == "m":
            yield ahead_of_time(tag, f"{tag.name}:aot", row["title"])
    yield from map(_riscv_core, read_table(RISCV).rows)


def _arm_core(row: Row) -> GeneratedTag:
    body: dict[str, Json]
    if row["profile"] == "m":
        body = {"kind": "c", "keys": ["arm_cpu", "cpu"], "mcpu": row["mcpu"]}
        message = f"C for {row['title']}, bare metal"
    else:
        triple = row.get("triple") or LINUX["aarch64" if row["bits"] == 64 else "arm"]
        lacking = CRYPTOGRAPHY if row["title"] in OPTIONAL_CRYPTOGRAPHY else ()
        body = llvm_target(triple, row["mcpu"], mattr(lacking))
        system = "bare metal" if "triple" in row else "Linux"
        message = f"Code for {row['title']}, {row['bits']}-bit, {system}"
    stated, file = _core_facts("Arm", row, ARM), PROFILES[row["profile"]]
    correction = OPTIONAL if "mattr" in body else ""
    return described_tag(f"arm/{row['mcpu']}", file, body, message, stated, correction=correction)


def _riscv_core(row: Row) -> GeneratedTag:
    mcpu, extensions = row.get("mcpu", "generic-rv64"), row.get("mattr", ())
    body = llvm_target(LINUX["riscv"], mcpu, extensions, "lp64d")
    message = f"Code for {row['title']} under Linux"
    stated = _core_facts(row["vendor"], row, RISCV)
    return described_tag(f"riscv/{row['name']}", "riscv/cores", body, message, stated)


def _core_facts(vendor: str, row: Row, table: str) -> Statement:
    facts = {"category": "cpu-core", "vendor": vendor, "model": row["title"]}
    return Statement(facts, [url_of(table, row["source"])])
