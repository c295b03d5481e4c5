"""The hardware facts of a target, by group, with the pages that state them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit

from registry.domain.document import Json
from registry.domain.kinds.hardware import ALL, SOURCES, fact_groups
from registry.domain.kinds.kinds import HARDWARE, Kinds
from registry.domain.resolution.provenance_tree import Origin
from registry.web.core.units import label
from registry.web.versions.values import NO_ORIGINS, TargetValue, TargetValues
from ttag_rules.pointer import child

SHOWN_FIRST = 2  # parts of a source's path that its link shows, beside the last

SourceLinks = list[tuple[str, str]]  # pages that state facts: URLs with shorter texts for people


@dataclass(frozen=True, slots=True)
class FactGroup:
    """The facts of a group, and the pages that state them."""

    title: str
    facts: list[TargetValue]
    sources: SourceLinks


@dataclass(frozen=True, slots=True)
class Machine:
    """Hardware facts and the nodes that share them. `sources` state every fact."""

    pointers: list[str]
    groups: list[FactGroup]
    sources: SourceLinks

    @property
    def facts(self) -> list[TargetValue]:
        """Return the facts of all groups."""
        return [fact for group in self.groups for fact in group.facts]


def hardware_machines(
    target: Json, kinds: Kinds, provenance: Mapping[str, Origin] = NO_ORIGINS
) -> list[Machine]:
    """Return the hardware facts of a target's nodes, each set of facts once.

    The origins of facts are those in the first of their nodes.
    """
    values = TargetValues(target, kinds, provenance)
    pointers: dict[str, list[str]] = {}
    for node in values.nodes.values():
        if facts := node.value.get(HARDWARE):
            pointers.setdefault(json.dumps(facts, sort_keys=True), []).append(node.pointer)
    groups = fact_groups(kinds[HARDWARE]) if pointers else {}
    return [_machine(nodes, values, groups) for nodes in pointers.values()]


def _machine(pointers: list[str], values: TargetValues, groups: Mapping[str, str]) -> Machine:
    """Return the machine of nodes that share their facts, in the order of the schema."""
    facts = values.nodes[pointers[0]].value[HARDWARE]
    sources = facts.get(SOURCES) or {}
    stated = groupby((name for name in groups if name in facts), key=lambda name: groups[name])
    parent = child(pointers[0], HARDWARE)

    def values_of(names: Iterable[str]) -> list[TargetValue]:
        return [fact for name in names for fact in values.inside(child(parent, name), facts[name])]

    grouped = [
        FactGroup(label(group), values_of(names), _links(sources.get(group) or ()))
        for group, names in stated
    ]
    return Machine(pointers, grouped, _links(sources.get(ALL) or ()))


def disagreement_row(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return a disagreement with its statements: URL, repository and value of each source."""
    statements = [
        (url, "/".join(url.split("/")[3:5]), value) for url, value in item["values"].items()
    ]
    return {**item, "statements": statements}


def _links(urls: Iterable[str]) -> SourceLinks:
    return [(url, _short_url(url)) for url in urls]


def _short_url(url: str) -> str:
    """Return the host of a URL, and the first and last parts of its path."""
    parts = urlsplit(url)
    path = parts.path.strip("/").split("/")
    if len(path) > SHOWN_FIRST + 1:
        path = [*path[:SHOWN_FIRST], "…", path[-1]]
    return "/".join(filter(None, (parts.netloc, *path)))
