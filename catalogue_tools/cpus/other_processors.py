"""Processors other than x86 and Arm: POWER, z and LoongArch."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement, measured
from catalogue_tools.llvm_targets import llvm_target
from catalogue_tools.tags import GeneratedTag, described_tag

TABLE = "llvm/other_processors"
DUMPS, IDENTIFIERS = 3, 4  # sources of the table
SERVER = "server-cpu"


def tags() -> Iterator[GeneratedTag]:
    return map(_processor, read_table(TABLE).rows)


def _processor(row: Row) -> GeneratedTag:
    model = row["model"]
    dump = [url_of(TABLE, DUMPS, f"results/cpuinfo/{row['dump']}")] if "dump" in row else []
    identifiers = [url_of(TABLE, IDENTIFIERS)] if row.get("identified") else []
    category = row.get("category", SERVER)
    facts = {"category": category, "vendor": row["vendor"], "model": model}
    facts |= {"family": row["core"]} if "core" in row else {}
    body = llvm_target(row["triple"], row["mcpu"])
    if "cores" in row:
        body["num-cores"] = row["cores"]
    file = f"{row['tag'].partition('/')[0]}/processors"
    core = f", {row['core']} cores" if "core" in row else ""
    identity = [url_of(TABLE, row["source"]), *dump, *identifiers]
    return described_tag(
        row["tag"],
        file,
        body,
        f"{model}{core}",
        Statement(facts, identity),
        Statement(measured(row, "cores", "threads"), dump),
    )
