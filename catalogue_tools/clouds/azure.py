"""Generates the series and sizes of Azure's virtual machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.families import azure_letters
from catalogue_tools.clouds.guests import Guests, measured, measured_url
from catalogue_tools.clouds.machines import Family, Machine, machine_of, settled
from catalogue_tools.clouds.memory_differences import memory_differences
from catalogue_tools.clouds.processors import is_older, processor_list
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.names import slug
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

VERSION = re.compile(r"v[0-9]+$")
SERIES = "azure-docs/series"
SIZES = "cluster-autoscaler/azure_sizes"


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the series of Azure, their sizes, and facts on which sources disagree."""
    machines, seen = list(_machines()), measured("azure")
    yield from machine_tags(machines, read_accelerators("azure"))
    yield from memory_differences("azure", machines)
    for row in read_table(SERIES).rows:
        if row["series"] in seen:
            yield from _disagreements(row, seen[row["series"]])


def _families() -> Iterator[Family]:
    seen, documented = measured("azure"), rows_by(SERIES, "series")
    for row in documented.values():
        yield _documented(row, seen.get(row["series"]))
    yield from (_measured(series, seen[series]) for series in seen.keys() - documented.keys())


def _documented(row: Row, seen: Guests | None) -> Family:
    title, processors, mcpu = f"Azure {row['name']}", row["processors"], row["mcpu"]
    page, threads = url_of(SERIES, row["source"]), measured_url("azure")
    threads_per_core = row.get("threads_per_core", 0)
    if threads_per_core:
        threads = url_of(SERIES, row["threads_source" if "threads_source" in row else "source"])
    return _family(
        row["series"],
        title,
        processor_list(processors),
        f"at least {mcpu}, the oldest of their processors"
        if len(processors) > 1
        else processors[0],
        mcpu=mcpu,
        threads_per_core=threads_per_core or (seen.threads_per_core if seen else 0),
        pages=(page, threads),
        hidden=seen.hidden(mcpu) if seen else (),
    )


def _measured(series: str, seen: Guests) -> Family:
    """Return a series that only its machines describe."""
    letters, processors = azure_letters(seen.rows[0]["type"]), processor_list(seen.models)
    correction = settled().get(f"azure/{series}")
    mcpu = correction["mcpu"] if correction else seen.mcpu
    pages = (measured_url("azure"), *((correction["source"],) if correction else ()))
    is_one = len({*seen.mcpus, mcpu}) == 1
    return _family(
        series,
        f"Azure {letters.replace('_', '') if letters.count('_') == 1 else letters}",
        correction["text"] if correction else processors,
        processors if is_one else f"at least {mcpu}, the oldest of their processors",
        mcpu=mcpu,
        threads_per_core=seen.threads_per_core if _states_threads(seen) else 0,
        pages=pages,
        hidden=seen.hidden(mcpu),
    )


def _states_threads(seen: Guests) -> bool:
    """Return whether the hypervisor shows threads: on Intel's processors, which have two a core."""
    return seen.threads_per_core > 1 or not any("Intel" in model for model in seen.models)


def _family(
    series: str, title: str, processors: str, shared: str, *, pages: tuple[str, ...], **facts: Any
) -> Family:
    sizes = url_of(SIZES)
    return Family(
        name=f"azure/{series}",
        file=_file(series),
        vendor="Microsoft Azure",
        title=title,
        processors=processors,
        message=f"What all {title} sizes share: {shared}",
        sources=tuple(dict.fromkeys((sizes, *pages))),
        size_sources=(sizes,),
        core_sources=(pages[-1],),
        **facts,
    )


def _file(series: str) -> str:
    """Return the file of a series: one for each letter and version, as `azure/d-v5`."""
    version = VERSION.search(series)
    return f"azure/{series[0]}-{version.group()}" if version else f"azure/{series}"


def _machines() -> Iterator[Machine]:
    families = {family.name: family for family in _families()}
    for row in (*read_table(SIZES).rows, *_unlisted()):
        yield machine_of(
            row,
            f"azure/{slug(row['size'].removeprefix('Standard_'))}",
            row["size"],
            families[f"azure/{row['series']}"],
            sources=(measured_url("azure") if "is_measured" in row else url_of(SIZES),),
            accelerator=row.get("gpu", ""),
            accelerators=row.get("gpus", 0),
            aliases=(f"azure/{row['size']}",),
        )


def _unlisted() -> Iterator[Row]:
    """Yield sizes that were measured and that the list lacks; those with GPUs need the list."""
    listed = rows_by(SIZES, "size")
    for series, seen in measured("azure").items():
        for row in seen.rows:
            name = row["type"]
            if name not in listed and "-" not in name and not series.startswith("n"):
                facts = {"memory_mib": row.get("memory_mib", 0), "vcpus": row["threads"]}
                yield {"size": name, "series": series, "is_measured": True, **facts}


def _disagreements(row: Row, seen: Guests) -> Iterator[Disagreement]:
    tag, report = f"azure/{row['series']}", measured_url("azure")
    url, mcpus = url_of(SERIES, row["source"]), seen.mcpus
    if any(is_older(mcpu, row["mcpu"]) for mcpu in mcpus):
        yield Disagreement(tag, "mcpu", {url: row["mcpu"], report: [*mcpus]})
    threads = row.get("threads_per_core", seen.threads_per_core)
    if threads != seen.threads_per_core:
        values = {url: threads, report: seen.threads_per_core}
        yield Disagreement(tag, "threads per core", values, "What Microsoft documents.")
