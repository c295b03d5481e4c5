"""Arm processors of servers, named by their makers."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.facts import Row, Table, read_table
from catalogue_tools.hardware import Statement, pages, root_hardware
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import GeneratedTag

FILE = "arm/server-processors"
LLVM, PROCESSORS, DUMPS = range(3)  # sources of the table
VENDORS = {
    "alibaba": "Alibaba",
    "ampere": "Ampere",
    "azure": "Microsoft Azure",
    "fujitsu": "Fujitsu",
    "gcp": "Google Cloud",
    "huawei": "Huawei",
    "marvell": "Marvell",
    "nvidia": "NVIDIA",
}
FAMILIES = {"ampere/altra"}  # which products in `quattor/server_cpus` inherit from


def tags() -> Iterator[GeneratedTag]:
    """Yield a tag for each processor."""
    table = read_table("arm-socs-table/server_cpus")
    for row in table.rows:
        yield _processor(row, table)


def _processor(row: Row, table: Table) -> GeneratedTag:
    namespace, _, _ = row["name"].partition("/")
    dump = [*_dump(row, table)]
    facts = {
        "category": "server-cpu",
        "vendor": VENDORS[namespace],
        "model": row["model"],
        "family": row["core"],
    }
    statements = [Statement(facts, [table.url(LLVM), *dump])]
    body = llvm_target(LINUX["aarch64"], row["mcpu"])
    if "announced" in row:
        statements.append(Statement({"launched": row["announced"]}, [table.url(PROCESSORS)]))
    if "cores" in row:
        body["num-cores"] = row["cores"]
        statements.append(Statement({"cores": row["cores"]}, dump))
    body["hardware"] = root_hardware(*statements)
    return GeneratedTag(
        row["name"],
        FILE,
        body,
        f"{row['model']}: {row['core']} cores",
        pages(*statements),
        is_family=row["name"] in FAMILIES,
    )


def _dump(row: Row, table: Table) -> Iterator[str]:
    if "dump" in row:
        path = f"cpuinfo-data/{row['dump']}"
        origin = table.header["sources"][DUMPS]
        commit = row.get("commit_of_dump", origin["commit"])
        yield f"https://github.com/{origin['repo']}/blob/{commit}/{path}"
