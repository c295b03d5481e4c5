"""The hardware facts of a target, by group, with the pages that state them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit

from registry.domain.composition import nodes
from registry.domain.document import Json
from registry.domain.hardware import ALL, SOURCES, fact_groups
from registry.domain.kinds import HARDWARE, Kind, Kinds
from registry.domain.pointer import child
from registry.web.core.units import SCALED, humanize, label

SHOWN_FIRST = 2  # parts of a source's path that its link shows, beside the last


@dataclass(frozen=True, slots=True)
class Fact:
    """A hardware fact of a group: `source` as in the target, `text` with its unit."""

    group: str
    label: str
    text: str
    source: str
    unit: str
    pointer: str

    @property
    def raw(self) -> str:
        """Return the raw number if a unit prefix hides it, else ""."""
        return self.source if self.unit in SCALED else ""


@dataclass(frozen=True, slots=True)
class FactGroup:
    """The facts of a group, and the pages that state them."""

    title: str
    facts: tuple[Fact, ...]
    sources: tuple[SourceLink, ...]


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A page that states facts: its URL, and a shorter text for people."""

    url: str
    text: str

    @classmethod
    def of(cls, url: str) -> SourceLink:
        """Return the link, whose text keeps the host, and the first and last parts of the path."""
        parts = urlsplit(url)
        path = parts.path.strip("/").split("/")
        if len(path) > SHOWN_FIRST + 1:
            path = [*path[:SHOWN_FIRST], "…", path[-1]]
        return cls(url, "/".join(filter(None, (parts.netloc, *path))))


@dataclass(frozen=True, slots=True)
class Machine:
    """Hardware facts and the nodes that share them. `sources` state every fact."""

    pointers: tuple[str, ...]
    groups: tuple[FactGroup, ...]
    sources: tuple[SourceLink, ...]

    @property
    def pointer(self) -> str:
        """Return the pointer of the first node."""
        return self.pointers[0]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts of all groups."""
        return tuple(fact for group in self.groups for fact in group.facts)


def hardware_machines(target: Json, kinds: Kinds) -> list[Machine]:
    """Return the hardware facts of a target's nodes, each set of facts once."""
    pointers: dict[str, list[str]] = {}
    facts_by_key: dict[str, Mapping[str, Any]] = {}
    for node in nodes(target):
        if facts := node.value.get(HARDWARE):
            key = json.dumps(facts, sort_keys=True)
            pointers.setdefault(key, []).append(node.pointer)
            facts_by_key[key] = facts
    return [
        _machine(tuple(pointers[key]), facts, kinds[HARDWARE])
        for key, facts in facts_by_key.items()
    ]


def _machine(pointers: tuple[str, ...], facts: Mapping[str, Any], kind: Kind) -> Machine:
    sources = facts.get(SOURCES) or {}
    rows = groupby(_facts(facts, kind, child(pointers[0], HARDWARE)), lambda fact: fact.group)
    groups = (
        FactGroup(label(name), tuple(group), _links(sources.get(name) or ()))
        for name, group in rows
    )
    return Machine(pointers, tuple(groups), _links(sources.get(ALL) or ()))


def _links(urls: Iterable[str]) -> tuple[SourceLink, ...]:
    return tuple(SourceLink.of(url) for url in urls)


def _facts(facts: Mapping[str, Any], kind: Kind, parent: str) -> Iterator[Fact]:
    """Yield facts in the order of the schema."""
    for name, group in fact_groups(kind).items():
        if name not in facts:
            continue
        unit = kind.schema["properties"][name].get("x-unit", "")
        value, pointer = facts[name], child(parent, name)
        if not isinstance(value, dict):
            yield _fact(group, label(name), value, unit, pointer)
        for part, number in value.items() if isinstance(value, dict) else ():
            yield _fact(group, f"{label(name)} {part}", number, unit, child(pointer, part))


def _fact(group: str, name: str, value: Json, unit: str, pointer: str) -> Fact:
    source = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Fact(group, name, humanize(value, unit) or source, source, unit, pointer)
