"""Arm processors of servers, named by their makers."""

from __future__ import annotations

from collections.abc import Iterator

from catalogue_tools.arm_dumps import differences, reasons, urls_of
from catalogue_tools.arm_features import implied_by_name, mattr
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.hardware import Statement, measured, pages
from catalogue_tools.llvm_targets import LINUX, llvm_target
from catalogue_tools.tags import GeneratedTag, described_tag

FILE = "arm/server-processors"
TABLE = "arm-socs-table/server_cpus"
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
    return map(_processor, read_table(TABLE).rows)


def _processor(row: Row) -> GeneratedTag:
    name, model, core = row["name"], row["model"], row["core"]
    vendor, dump = VENDORS[name.partition("/")[0]], [*_dump(row)]
    facts = {"category": "server-cpu", "vendor": vendor, "model": model, "family": core}
    statements = (
        Statement(facts, [url_of(TABLE, LLVM), *dump]),
        Statement(measured(row, "announced"), [url_of(TABLE, PROCESSORS)]),
        Statement(measured(row, "cores"), dump),
    )
    absent, added = differences(name, implied_by_name(row["mcpu"]))
    body = llvm_target(LINUX["aarch64"], row["mcpu"], mattr(absent, added))
    if "cores" in row:
        body["num-cores"] = row["cores"]
    message = f"{model}: {core} cores"
    return described_tag(
        name,
        FILE,
        body,
        message,
        *statements,
        sources=tuple(dict.fromkeys((*pages(*statements), *urls_of(name, absent | added)))),
        is_family=name in FAMILIES,
        correction=" ".join(reasons(name, absent | added)),
    )


def _dump(row: Row) -> Iterator[str]:
    if "dump" in row:
        origin = read_table(TABLE).header["sources"][DUMPS]
        commit = row.get("commit_of_dump", origin["commit"])
        yield f"https://github.com/{origin['repo']}/blob/{commit}/cpuinfo-data/{row['dump']}"
