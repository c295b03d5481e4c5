"""Generates the series and machine types of Google Cloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.machines import (
    Family,
    Machine,
    machine_of,
    measured,
    measured_url,
    newer_tags,
    settled,
)
from catalogue_tools.clouds.processors import PLATFORMS, oldest, processor_list
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

SERIES = "cyclenerd/gcp_series"
TYPES = "cyclenerd/gcp_types"
GPUS = "skypilot/gcp_accelerators"
NEWER = {"gcp/n2": "icelake-server"}  # people choose it by the minimum CPU platform


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the series of Google Cloud, their types, and facts on which sources disagree."""
    series, seen = rows_by(SERIES, "series"), measured("gcp")
    families = {name: _family(row, seen[name]) for name, row in series.items()}
    machines = list(_machines(families))
    yield from machine_tags(machines, read_accelerators("gcp", url_of(GPUS)))
    yield from newer_tags(machines, NEWER)
    for name, row in series.items():
        yield from _disagreements(row, families[name], seen[name])


def _family(row: Row, seen: Row) -> Family:
    name, title = f"gcp/{row['series']}", f"Google Cloud {row['series'].upper()}"
    platforms, correction = row["platforms"], settled().get(name)
    mcpu = correction["mcpu"] if correction else oldest(_mcpus(row))
    processors = correction["text"] if correction else processor_list(platforms)
    shared = f"at least {mcpu}, which all of their processors can run"
    return Family(
        name=name,
        file=name,
        vendor="Google Cloud",
        title=title,
        processors=processors,
        message=f"What all {title} machine types share: "
        f"{shared if len(platforms) > 1 else processors}",
        mcpu=mcpu,
        threads_per_core=seen["threads_per_core"],
        sources=(url_of(TYPES), _series_url(row), measured_url("gcp")),
        size_sources=(url_of(TYPES),),
        core_sources=(measured_url("gcp"),),
    )


def _series_url(row: Row) -> str:
    return url_of(SERIES, path=f"instances/series/{row['series']}.sql")


def _mcpus(row: Row) -> list[str]:
    return [PLATFORMS[platform] for platform in row["platforms"]]


def _machines(families: Mapping[str, Family]) -> Iterator[Machine]:
    for row in read_table(TYPES).rows:
        name = row["type"]
        gpu = rows_by(GPUS, "type").get(name, {})
        yield machine_of(
            row,
            f"gcp/{name}",
            name,
            families[name.partition("-")[0]],
            sources=(url_of(TYPES),),
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
