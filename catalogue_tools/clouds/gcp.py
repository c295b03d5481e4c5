"""Generates the series and machine types of Google Cloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.families import measured, measured_url, settled
from catalogue_tools.clouds.machines import Family, Machine, core_count
from catalogue_tools.clouds.newer import newer_tags
from catalogue_tools.clouds.processors import PLATFORMS, oldest, processor_list
from catalogue_tools.facts import Row, read_table
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

VENDOR = "Google Cloud"
SERIES = "cyclenerd/gcp_series"
TYPES = "cyclenerd/gcp_types"
GPUS = "skypilot/gcp_accelerators"
NEWER = {"gcp/n2": "icelake-server"}  # people choose it by the minimum CPU platform


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the series of Google Cloud, their types, and facts on which sources disagree."""
    seen = measured("gcp")
    families = {row["series"]: _family(row, seen[row["series"]]) for row in _series()}
    machines = list(_machines(families))
    yield from machine_tags(machines, read_accelerators("gcp", read_table(GPUS).url()))
    yield from newer_tags(machines, NEWER)
    for row in _series():
        yield from _disagreements(row, families[row["series"]], seen[row["series"]])


def _series() -> tuple[Row, ...]:
    return read_table(SERIES).rows


def _family(row: Row, seen: Row) -> Family:
    name, title = f"gcp/{row['series']}", f"Google Cloud {row['series'].upper()}"
    platforms, correction = row["platforms"], settled().get(name)
    mcpu = correction["mcpu"] if correction else oldest(_mcpus(row))
    processors = correction["text"] if correction else processor_list(platforms)
    shared = f"at least {mcpu}, which all of their processors can run"
    return Family(
        name=name,
        file=name,
        vendor=VENDOR,
        title=title,
        processors=processors,
        message=f"What all {title} machine types share: "
        f"{shared if len(platforms) > 1 else processors}",
        mcpu=mcpu,
        threads_per_core=seen["threads_per_core"],
        sources=(read_table(TYPES).url(), _series_url(row), measured_url("gcp")),
        size_sources=(read_table(TYPES).url(),),
        core_sources=(measured_url("gcp"),),
    )


def _series_url(row: Row) -> str:
    return read_table(SERIES).url(path=f"instances/series/{row['series']}.sql")


def _mcpus(row: Row) -> list[str]:
    return [PLATFORMS[platform] for platform in row["platforms"]]


def _machines(families: Mapping[str, Family]) -> Iterator[Machine]:
    gpus = {row["type"]: row for row in read_table(GPUS).rows}
    for row in read_table(TYPES).rows:
        family, gpu = families[row["type"].partition("-")[0]], gpus.get(row["type"], {})
        yield Machine(
            name=f"gcp/{row['type']}",
            model=row["type"],
            family=family,
            cores=core_count(row["vcpus"], family.threads_per_core),
            threads=row["vcpus"],
            memory_mib=row["memory_mib"],
            sources=(read_table(TYPES).url(),),
            accelerator=gpu.get("gpu", ""),
            accelerators=gpu.get("gpus", 0),
        )


def _disagreements(row: Row, family: Family, seen: Row) -> Iterator[Disagreement]:
    """Yield the processors that machines report and Google's documentation does not name."""
    others = sorted(set(seen["mcpus"]) - set(_mcpus(row)))
    if others:
        yield Disagreement(
            family.name,
            "mcpu",
            {_series_url(row): row["platforms"], measured_url("gcp"): others},
            f"{family.mcpu}, whose code all of them can run.",
        )
