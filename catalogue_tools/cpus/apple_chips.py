"""The processors of Apple's chips: M under macOS, A under iOS."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, pages, root_hardware
from catalogue_tools.llvm_targets import llvm_target
from catalogue_tools.tags import GeneratedTag

LLVM, CHIPS, DUMPS = range(3)  # sources of the table
CATEGORIES = {"macos": "desktop-cpu", "ios": "soc"}


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for each chip."""
    table = read_table("arm-socs-table/apple_chips")
    for row in table.rows:
        yield _chip(row, table)


def _chip(row: Row, table: Table) -> GeneratedTag:
    facts = {
        "category": CATEGORIES[row["system"]],
        "vendor": "Apple",
        "model": f"Apple {row['chip']}",
    }
    statements = [Statement(facts, [table.url(LLVM)])]
    body = llvm_target(f"arm64-apple-{row['system']}", row["mcpu"])
    if "announced" in row:
        statements.append(Statement({"launched": row["announced"]}, [table.url(CHIPS)]))
    if "cores" in row:
        body["num-cores"] = row["cores"]
        url = table.url(DUMPS, row["dump"])
        statements.append(Statement({"cores": row["cores"]}, [url]))
    body["hardware"] = root_hardware(*statements)
    system = "macOS" if row["system"] == "macos" else "iOS"
    message = f"The CPU of Apple {row['chip']} under {system}"
    return GeneratedTag(f"apple/{row['name']}", "apple/chips", body, message, pages(*statements))
