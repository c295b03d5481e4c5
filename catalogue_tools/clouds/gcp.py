"""Generates the series and machine types of Google Cloud."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalogue_tools.clouds.accelerators import machine_tags, read_accelerators
from catalogue_tools.clouds.guests import Guests, measured, measured_url
from catalogue_tools.clouds.machines import Family, Machine, machine_of, settled
from catalogue_tools.clouds.memory_differences import memory_differences
from catalogue_tools.clouds.newer import newer_tags
from catalogue_tools.clouds.processors import PLATFORMS, oldest, processor_list
from catalogue_tools.facts import Row, read_table, rows_by, url_of
from catalogue_tools.tags import Disagreement, GeneratedTag, Missing

SERIES = "cyclenerd/gcp_series"
TYPES = "cyclenerd/gcp_types"
GPUS = "skypilot/gcp_accelerators"


def tags() -> Iterator[GeneratedTag | Disagreement | Missing]:
    """Yield the series of Google Cloud, their types, and facts on which sources disagree."""
    documented = rows_by(SERIES, "series")
    families = {
        name: _family(name, documented.get(name, {}).get("platforms", []), seen)
        for name, seen in measured("gcp").items()
    }
    machines = list(_machines(families))
    yield from machine_tags(machines, read_accelerators("gcp", url_of(GPUS)))
    yield from newer_tags(machines)
    yield from memory_differences("gcp", machines)
    for name, row in documented.items():
        if families[name].name not in settled():
            yield from _disagreements(row, families[name], measured("gcp")[name])


def _family(series: str, platforms: list[str], seen: Guests) -> Family:
    name, title, report = f"gcp/{series}", f"Google Cloud {series.upper()}", measured_url("gcp")
    mcpus = {*(PLATFORMS[platform] for platform in platforms), *seen.mcpus}
    processors = processor_list(platforms or seen.models)
    correction = settled().get(name)
    if correction:
        mcpu, processors = correction["mcpu"], correction["text"]
    else:
        mcpu = oldest(mcpus)
    is_one = len(platforms) == 1 or len(mcpus) == 1
    shared = processors if is_one else f"at least {mcpu}, which all of their processors can run"
    return Family(
        name=name,
        file=name,
        vendor="Google Cloud",
        title=title,
        processors=processors,
        message=f"What all {title} machine types share: {shared}",
        mcpu=mcpu,
        threads_per_core=seen.threads_per_core,
        sources=(
            url_of(TYPES),
            *([url_of(SERIES, path=_path(series))] if platforms else ()),
            report,
        ),
        size_sources=(url_of(TYPES),),
        core_sources=(report,),
        hidden=seen.hidden(mcpu),
    )


def _path(series: str) -> str:
    return f"instances/series/{series}.sql"


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


def _disagreements(row: Row, family: Family, seen: Guests) -> Iterator[Disagreement]:
    """Yield the processors that machines report and Google's documentation does not name."""
    documented = {PLATFORMS[platform] for platform in row["platforms"]}
    if others := sorted({*seen.mcpus} - documented):
        yield Disagreement(
            family.name,
            "mcpu",
            {
                url_of(SERIES, path=_path(row["series"])): row["platforms"],
                measured_url("gcp"): [*others],
            },
            f"{family.mcpu}, whose code all of them can run.",
        )
