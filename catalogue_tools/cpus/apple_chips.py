"""The processors of Apple's chips: M under macOS, A under iOS."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.llvm_targets import llvm_target
from catalogue_tools.tags import GeneratedTag, described_tag

TABLE = "arm-socs-table/apple_chips"
LLVM, CHIPS, DUMPS, CACHES = range(4)  # sources of the table
SYSTEMS = {"macos": ("macOS", "desktop-cpu"), "ios": ("iOS", "soc")}  # names, and categories


def tags() -> Iterator[GeneratedTag]:
    return map(_chip, read_table(TABLE).rows)


def _chip(row: Row) -> GeneratedTag:
    system, category = SYSTEMS[row["system"]]
    model = f"Apple {row['chip']}"
    facts = {"category": category, "vendor": "Apple", "model": model}
    body = llvm_target(f"arm64-apple-{row['system']}", row["mcpu"])
    dumps = []
    if "cores" in row:
        body["num-cores"] = row["cores"]
        dumps = [url_of(TABLE, DUMPS, row["dump"])]
    caches = [url_of(TABLE, CACHES, f"tests/targets/{row['sysctl']}")] if "sysctl" in row else []
    return described_tag(
        f"apple/{row['name']}",
        "apple/chips",
        body,
        f"The CPU of {model} under {system}",
        Statement(facts, [url_of(TABLE, LLVM)]),
        Statement(measured(row, "announced"), [url_of(TABLE, CHIPS)]),
        Statement(measured(row, "cores", "p", "e"), dumps),
        Statement(measured(row, "l2_mib"), caches),
    )
