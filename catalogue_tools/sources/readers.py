"""Lists the readers, and finds those for a clone."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from catalogue_tools import sources
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.hand_kept import HAND_KEPT
from catalogue_tools.sources.reader import REGISTERED, Reader
from registry.domain.near_names import nearest_names

for _module in pkgutil.iter_modules(sources.__path__):
    importlib.import_module(f"{sources.__name__}.{_module.name}")  # registers its readers
READERS: tuple[Reader, ...] = tuple(REGISTERED)


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


def _no_reader(source: str) -> str:
    if source in HAND_KEPT:
        return f"The tables of {source} are kept by hand: {HAND_KEPT[source]}."
    sources = {reader.source for reader in READERS}
    names = sorted(sources | {name for name in HAND_KEPT if "/" not in name})
    near = nearest_names(source, names)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(names)}."
    return f"There is no source {source}. {hint}"
