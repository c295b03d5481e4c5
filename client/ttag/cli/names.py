"""Names that a registry has, quickly: from the registry, or from the cache if that takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Thread
from typing import Any

from ttag.errors import TtagError
from ttag.project import Project
from ttag.registry.registry import Registry

PATIENCE = 0.8  # seconds; with the start of Python, somebody waits for one
PAGE = {"limit": "100"}


@dataclass(frozen=True, slots=True)
class ReferenceNames:
    """Namespaces, tags and versions of the registries of a project. Errors mean no names."""

    project: Project

    def namespaces(self) -> Iterable[str]:
        """Return the namespaces of the main registry, and those that the settings name."""
        rows = _ask(self.project.registry, "/namespaces", PAGE)
        return [*self.project.settings.namespaces, *(str(row["name"]) for row in rows)]

    def references(self, prefix: str) -> Iterable[str]:
        """Return references with a prefix; of one without a slash, namespaces with a slash."""
        namespace, slash, rest = prefix.partition("/")
        if not slash:
            return [f"{name}/" for name in self.namespaces()]
        tag, at, _ = prefix.partition("@")
        if at:
            rows = _ask(lambda: self.project.registry_of(tag), f"/versions/{tag}", PAGE)
            return [str(row["reference"]) for row in rows]
        query = {"namespace": namespace, **PAGE, **({"q": rest, "typing": "true"} if rest else {})}
        rows = _ask(lambda: self.project.registry_of(f"{namespace}/x"), "/tags", query)
        return [str(row["tag"]) for row in rows]


def _ask(registry: Callable[[], Registry], path: str, parameters: dict[str, str]) -> list[Any]:
    """Return the first page of a list; what the cache has if the registry takes too long."""
    results: list[Any] = []

    def read(source: Registry) -> None:
        try:
            page = source.get(path, parameters, cached=True)
            results.extend(page["results"])
        except (TtagError, KeyError, TypeError):
            return

    try:
        online = replace(registry(), timeout=PATIENCE, warn=lambda sentence: None)
    except TtagError:
        return []
    request = Thread(target=read, args=(online,), daemon=True)
    request.start()
    request.join(PATIENCE)
    if request.is_alive():
        read(replace(online, offline=True))
    return [row for row in results if isinstance(row, dict)]
