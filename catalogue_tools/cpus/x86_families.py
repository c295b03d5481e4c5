"""Microarchitectures of x86: the families that products inherit from."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, root_hardware
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import Disagreement, GeneratedTag

VENDORS = {"amd": "AMD", "intel": "Intel"}
DETECTION = 0  # the source that names processors as programs detect them at run time


def tags() -> Iterator[GeneratedTag | Disagreement]:
    """Yield a family for each microarchitecture, and the names that LLVM is not of one mind on."""
    table = families()
    for row in table.rows:
        yield _family(row, table)
        if "at_run_time" in row:
            yield _disagreement(row, table)


def families() -> Table:
    """Return the table of microarchitectures."""
    return read_table("llvm/x86_families")


def families_by_code() -> dict[str, Row]:
    """Return the rows of microarchitectures by the names that tables of products give them."""
    return {code: row for row in families().rows for code in row["codes"]}


def _family(row: Row, table: Table) -> GeneratedTag:
    source = table.url(row["source"])
    vendor = VENDORS[row["tag"].partition("/")[0]]
    body = llvm_target(LINUX["x86"], row["mcpu"])
    body["hardware"] = root_hardware(
        Statement({"category": "cpu-core", "vendor": vendor, "family": row["title"]}, [source])
    )
    message = f"What all processors with {vendor}'s {row['title']} cores share"
    return GeneratedTag(row["tag"], row["tag"], body, message, (source,), is_family=True)


def _disagreement(row: Row, table: Table) -> Disagreement:
    return Disagreement(
        row["tag"],
        "mcpu",
        {table.url(DETECTION): row["at_run_time"], table.url(row["source"]): row["mcpu"]},
        f"{row['mcpu']}, the name that LLVM has for it. Detection at run time groups it with "
        f"{row['at_run_time']}.",
    )
