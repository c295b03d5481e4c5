"""Reads the catalogue that ships with the code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from registry.domain.document import Json

CATALOGUE = Path(__file__).resolve().parents[2] / "catalogue"


@dataclass(frozen=True, slots=True)
class ShippedVersion:
    """A version of a shipped tag. `mirrors` names the TVM release that it was taken from."""

    source: str
    body: Json
    message: str
    sources: tuple[str, ...]
    mirrors: str


@dataclass(frozen=True, slots=True)
class ShippedTag:
    """A shipped tag with its versions in order of publication."""

    name: str
    aliases: tuple[str, ...]
    versions: tuple[ShippedVersion, ...]


def namespaces() -> list[dict[str, str]]:
    """Return the namespaces of shipped tags."""
    entries: list[dict[str, str]] = _read(CATALOGUE / "namespaces.json")["namespaces"]
    return entries


def kinds() -> dict[str, dict[str, Any]]:
    """Return the schemas of shipped kinds, by name."""
    schemas = map(_read, sorted((CATALOGUE / "kinds").rglob("*.json")))
    return {schema["title"]: schema for schema in schemas}


def tags() -> Iterator[ShippedTag]:
    """Yield every shipped tag, in no particular order."""
    for path in sorted((CATALOGUE / "tags").rglob("*.json")):
        for entry in _read(path)["tags"]:
            yield ShippedTag(
                entry["tag"],
                tuple(entry.get("aliases", ())),
                tuple(_version(version) for version in entry["versions"]),
            )


def _version(entry: dict[str, Any]) -> ShippedVersion:
    return ShippedVersion(
        source=json.dumps(entry["target"], ensure_ascii=False, indent=2),
        body=entry["target"],
        message=entry["message"],
        sources=tuple(entry.get("sources", ())),
        mirrors=entry.get("mirrors", ""),
    )


@lru_cache(maxsize=1)
def cpus() -> dict[str, frozenset[str]]:
    """Return the CPU names that LLVM knows, by architecture."""
    shipped = _read(CATALOGUE / "llvm_cpus.json")
    cpus = {name: frozenset(names) for name, names in shipped["cpus"].items()}
    return cpus | {alias: cpus[name] for alias, name in shipped["aliases"].items()}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
