"""Generates the series and sizes of Azure's virtual machines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.families import measured, measured_url
from catalogue_tools.clouds.machines import Family, Machine, core_count
from catalogue_tools.clouds.processors import is_older, processor_list
from catalogue_tools.facts import Row, read_table
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

VENDOR = "Microsoft Azure"
PREFIX = "Standard_"
VERSION = re.compile(r"v[0-9]+$")
SERIES = "azure-docs/series"
SIZES = "cluster-autoscaler/azure_sizes"


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the series of Azure, their sizes, and facts on which sources disagree."""
    seen = measured("azure")
    families = {row["series"]: _family(row, seen.get(row["series"])) for row in _series()}
    yield from machine_tags(_machines(families), read_accelerators("azure"))
    for row in _series():
        if row["series"] in seen:
            yield from _disagreements(row, seen[row["series"]])


def _series() -> tuple[Row, ...]:
    return read_table(SERIES).rows


def _family(row: Row, seen: Row | None) -> Family:
    table = read_table(SERIES)
    processors = row["processors"]
    shared = f"at least {row['mcpu']}, the oldest of their processors"
    sizes, page = read_table(SIZES).url(), table.url(row["source"])
    threads = table.url(row["threads_source"]) if "threads_source" in row else page
    if "threads_per_core" not in row:
        threads = measured_url("azure")
    return Family(
        name=f"azure/{row['series']}",
        file=_file(row["series"]),
        vendor=VENDOR,
        title=f"Azure {row['name']}",
        processors=processor_list(processors),
        message=f"What all Azure {row['name']} sizes share: "
        f"{shared if len(processors) > 1 else processors[0]}",
        mcpu=row["mcpu"],
        threads_per_core=row.get("threads_per_core") or (seen or {})["threads_per_core"],
        sources=tuple(dict.fromkeys((sizes, page, threads))),
        size_sources=(sizes,),
        core_sources=(threads,),
    )


def _file(series: str) -> str:
    """Return the file of a series: one for each letter and version, as `azure/d-v5`."""
    version = VERSION.search(series)
    return f"azure/{series[0]}-{version.group()}" if version else f"azure/{series}"


def _machines(families: Mapping[str, Family]) -> Iterator[Machine]:
    for row in read_table(SIZES).rows:
        family = families[row["series"]]
        yield Machine(
            name=f"azure/{slug(row['size'].removeprefix(PREFIX))}",
            model=row["size"],
            family=family,
            cores=core_count(row["vcpus"], family.threads_per_core),
            threads=row["vcpus"],
            memory_mib=row["memory_mib"],
            sources=(read_table(SIZES).url(),),
            accelerator=row.get("gpu", ""),
            accelerators=row.get("gpus", 0),
            aliases=(f"azure/{row['size']}",),
        )


def _disagreements(row: Row, seen: Row) -> Iterator[Disagreement]:
    tag, url = f"azure/{row['series']}", read_table(SERIES).url(row["source"])
    if any(is_older(mcpu, row["mcpu"]) for mcpu in seen["mcpus"]):
        yield Disagreement(tag, "mcpu", {url: row["mcpu"], measured_url("azure"): seen["mcpus"]})
    threads = row.get("threads_per_core", seen["threads_per_core"])
    if threads != seen["threads_per_core"]:
        values = {url: threads, measured_url("azure"): seen["threads_per_core"]}
        yield Disagreement(tag, "threads per core", values, "What Microsoft documents.")
