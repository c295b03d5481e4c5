"""The processors of Apple's chips: M under macOS, A under iOS."""

from __future__ import annotations

from collections.abc import Iterator

from registry.domain.document import Json
from registry.generator.cpus.targets import llvm_target
from registry.generator.facts import Row, Table, read_table
from registry.generator.tags import GeneratedTag

LLVM, CHIPS, DUMPS = range(3)  # sources of the table
CATEGORIES = {"macos": "desktop-cpu", "ios": "soc"}


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for each chip."""
    table = read_table("arm-socs-table/apple_chips")
    for row in table.rows:
        yield _chip(row, table)


def _chip(row: Row, table: Table) -> GeneratedTag:
    sources = [table.url(LLVM)]
    hardware: dict[str, Json] = {
        "category": CATEGORIES[row["system"]],
        "vendor": "Apple",
        "model": f"Apple {row['chip']}",
    }
    body = llvm_target(f"arm64-apple-{row['system']}", row["mcpu"])
    if "announced" in row:
        sources.append(table.url(CHIPS))
        hardware["launched"] = row["announced"]
    if "cores" in row:
        sources.append(table.url(DUMPS, row["dump"]))
        hardware["cores"] = body["num-cores"] = row["cores"]
    hardware["sources"] = [*sources]
    body["hardware"] = hardware
    system = "macOS" if row["system"] == "macos" else "iOS"
    message = f"The CPU of Apple {row['chip']} under {system}"
    return GeneratedTag(f"apple/{row['name']}", "apple/chips", body, message, tuple(sources))
