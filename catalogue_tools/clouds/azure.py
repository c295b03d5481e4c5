"""Generates the series and sizes of Azure's virtual machines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.machines import Family, Machine, machine_of, measured, measured_url
from catalogue_tools.clouds.processors import is_older, processor_list
from catalogue_tools.facts import Row, read_table, url_of
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

VERSION = re.compile(r"v[0-9]+$")
SERIES = "azure-docs/series"
SIZES = "cluster-autoscaler/azure_sizes"


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the series of Azure, their sizes, and facts on which sources disagree."""
    yield from machine_tags(_machines(), read_accelerators("azure"))
    seen = measured("azure")
    for row in read_table(SERIES).rows:
        if row["series"] in seen:
            yield from _disagreements(row, seen[row["series"]])


def _family(row: Row, seen: Row) -> Family:
    title, processors = f"Azure {row['name']}", row["processors"]
    shared = f"at least {row['mcpu']}, the oldest of their processors"
    sizes, page = url_of(SIZES), url_of(SERIES, row["source"])
    threads = measured_url("azure")
    if "threads_per_core" in row:
        threads = url_of(SERIES, row["threads_source" if "threads_source" in row else "source"])
    return Family(
        name=f"azure/{row['series']}",
        file=_file(row["series"]),
        vendor="Microsoft Azure",
        title=title,
        processors=processor_list(processors),
        message=f"What all {title} sizes share: {shared if len(processors) > 1 else processors[0]}",
        mcpu=row["mcpu"],
        threads_per_core=row.get("threads_per_core") or seen["threads_per_core"],
        sources=tuple(dict.fromkeys((sizes, page, threads))),
        size_sources=(sizes,),
        core_sources=(threads,),
    )


def _file(series: str) -> str:
    """Return the file of a series: one for each letter and version, as `azure/d-v5`."""
    version = VERSION.search(series)
    return f"azure/{series[0]}-{version.group()}" if version else f"azure/{series}"


def _machines() -> Iterator[Machine]:
    seen = measured("azure")
    families = {
        row["series"]: _family(row, seen.get(row["series"], {})) for row in read_table(SERIES).rows
    }
    for row in read_table(SIZES).rows:
        yield machine_of(
            row,
            f"azure/{slug(row['size'].removeprefix('Standard_'))}",
            row["size"],
            families[row["series"]],
            sources=(url_of(SIZES),),
            accelerator=row.get("gpu", ""),
            accelerators=row.get("gpus", 0),
            aliases=(f"azure/{row['size']}",),
        )


def _disagreements(row: Row, seen: Row) -> Iterator[Disagreement]:
    tag, report = f"azure/{row['series']}", measured_url("azure")
    url = url_of(SERIES, row["source"])
    if any(is_older(mcpu, row["mcpu"]) for mcpu in seen["mcpus"]):
        yield Disagreement(tag, "mcpu", {url: row["mcpu"], report: seen["mcpus"]})
    threads = row.get("threads_per_core", seen["threads_per_core"])
    if threads != seen["threads_per_core"]:
        values = {url: threads, report: seen["threads_per_core"]}
        yield Disagreement(tag, "threads per core", values, "What Microsoft documents.")
