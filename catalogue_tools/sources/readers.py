"""Finds the readers for a clone, and lists the tables that no reader renews, with the reasons."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from catalogue_tools import sources
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import REGISTERED, Reader
from registry.domain.names.near_names import nearest_names

for _module in pkgutil.iter_modules(sources.__path__):
    importlib.import_module(f"{sources.__name__}.{_module.name}")  # registers its readers
READERS: tuple[Reader, ...] = tuple(REGISTERED)

READ_BY_HAND = "its facts were read page by page, with judgement, and have no common form"
JOINED = "it joins facts of several sources by judgement"

# Source, or table of a source that has readers for others: why it is kept by hand.
HAND_KEPT: dict[str, str] = {
    "apple-announcements": READ_BY_HAND,
    "arm-socs-table/apple_chips": JOINED,
    "arm-socs-table/server_cpus": JOINED,
    "aws-guides": READ_BY_HAND,
    "azure-docs": READ_BY_HAND,
    "corrections": "they are this project's own judgements, each with its source",
    "cpu-dumps": "each dump was assigned to a chip by judgement",
    "cpu-lists": "facts on which several sources agree, and a reader reads one of them",
    "device-names": "which product a name belongs to was compared with device ids, name by name",
    "github-docs": READ_BY_HAND,
    "gpu-limits": "reports have many forms, and each was judged, since drivers differ",
    "gpu-specs": "several sources agree on each value, some of them read as a check only",
    "huggingface": READ_BY_HAND,
    "intel-compute-runtime/platforms": "the source names platforms, not the chips that they are in",
    "intel-processors": "the list is GPL-3.0, and facts of single products only were taken from it",
    "linux-device-trees": "device trees must be compiled, and the boards were chosen by hand",
    "llvm": "which cores have a tag, and their triples, is a judgement about each",
    "microcontrollers": JOINED,
    "names": "they join names of several sources with those that people shorten",
    "open-compilers": READ_BY_HAND,
    "pine64": READ_BY_HAND,
    "radxa-docs": READ_BY_HAND,
    "raspberry-pi-docs": READ_BY_HAND,
    "rocm-docs/amd_architectures": JOINED,
    "tvm": "they mirror one release of TVM; a newer release is added beside it",
    "wikipedia": "only values that a second list confirms were taken",
    "zephyr": READ_BY_HAND,
    "zig": "its lists name features without those that they imply, which LLVM was asked for",
}


def readers_of(source: str) -> Sequence[Reader]:
    """Return the readers of a source. Raises `SourceError`, with near names, if it has none."""
    readers = [reader for reader in READERS if reader.source == source]
    if not readers:
        raise SourceError(_no_reader(source))
    return readers


def readers_for(clone: Clone, source: str, repo: str = "") -> Sequence[Reader]:
    """Return the readers of a source for a clone of one of its repositories.

    `repo` states the repository of a clone that does not say where it comes from, or comes from a
    copy. Raises `SourceError` if there is no reader, or it is not clear which.
    """
    readers = readers_of(source)
    repos = sorted({reader.repo for reader in readers})
    chosen = repo or clone.repo or (repos[0] if len(repos) == 1 else "")
    if chosen not in repos:
        origin = f"a clone of {chosen}" if chosen else "not known to be a clone"
        raise SourceError(
            f"{clone.folder} is {origin}; {source} comes from {' or '.join(repos)}: "
            "state with --repo which one it is a copy of."
        )
    return [reader for reader in readers if reader.repo == chosen]


def hand_kept_tables(source: str) -> dict[str, str]:
    """Return the tables of a source that no reader renews, with the reasons."""
    tables = HAND_KEPT.items()
    return {table: reason for table, reason in tables if table.startswith(f"{source}/")}


def _no_reader(source: str) -> str:
    if source in HAND_KEPT:
        return f"The tables of {source} are kept by hand: {HAND_KEPT[source]}."
    sources = {reader.source for reader in READERS}
    names = sorted(sources | {name for name in HAND_KEPT if "/" not in name})
    near = nearest_names(source, names)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(names)}."
    return f"There is no source {source}. {hint}"
