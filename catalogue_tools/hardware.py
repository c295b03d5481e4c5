"""Hardware facts of generated tags, with the pages that state each group of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from registry.domain.document import Json
from registry.domain.kinds.hardware import SOURCES, fact_groups
from registry.domain.kinds.kinds import HARDWARE, Kind
from registry.services.core import shipped_facts

KIB, MIB, GIB, MHZ, GHZ, GIGA, TERA = 1 << 10, 1 << 20, 1 << 30, 10**6, 10**9, 10**9, 10**12
UNITS = {  # fields of tables: the fact in `hardware`, and the unit
    "bandwidth_gb_per_s": ("memory_bandwidth_bytes_per_s", GIGA),
    "bandwidth_tb_per_s": ("memory_bandwidth_bytes_per_s", TERA),
    "base_ghz": ("base_clock_hz", GHZ),
    "base_mhz": ("base_clock_hz", MHZ),
    "boost_ghz": ("boost_clock_hz", GHZ),
    "boost_mhz": ("boost_clock_hz", MHZ),
    "hz": ("boost_clock_hz", 1),
    "l2_kib": ("l2_cache_bytes", KIB),
    "l2_mb": ("l2_cache_bytes", MIB),
    "l2_mib": ("l2_cache_bytes", MIB),
    "l3_kib": ("l3_cache_bytes", KIB),
    "l3_mb": ("l3_cache_bytes", MIB),
    "l3_mib": ("l3_cache_bytes", MIB),
    "memory_gib": ("memory_bytes", GIB),
    "memory_mib": ("memory_bytes", MIB),
    "mhz": ("base_clock_hz", MHZ),
    "ram": ("memory_bytes", 1),
    "ram_kib": ("memory_bytes", KIB),
    "tdp_w": ("power_watts", 1),
}
RENAMED = {  # other fields, as facts
    "announced": "launched",
    "e": "efficiency_cores",
    "p": "performance_cores",
    "released": "launched",
}

IDENTITY = "identity"  # the group of vendor, model, family and category


@dataclass(frozen=True, slots=True)
class Statement:
    """Facts of hardware, and the URLs of pages that state all of them.

    None takes back an inherited fact. `more_groups` are groups of which these pages state facts
    that tags inheriting from this one add.
    """

    facts: Mapping[str, Json]
    urls: Collection[str]
    more_groups: Collection[str] = ()


def hardware(
    *statements: Statement, joined_groups: Collection[str] = (IDENTITY,)
) -> dict[str, Json]:
    """Return the member `hardware` of a body.

    The pages of a group replace inherited ones, except in `joined_groups`, in which a tag adds
    facts to those of its parent.
    """
    facts: dict[str, Json] = {}
    pages: dict[str, dict[str, None]] = {}
    for statement in statements:
        facts |= statement.facts
        stated = [name for name, value in statement.facts.items() if value is not None]
        for group in (*(group_of(name) for name in stated), *statement.more_groups):
            pages.setdefault(group, {}).update(dict.fromkeys(statement.urls))
    removed = {group_of(name) for name, value in facts.items() if value is None} - pages.keys()
    sources: dict[str, Json] = {}
    for group in groups():
        if group in pages:
            urls: list[Json] = [*pages[group]]
            sources[group] = {"$append": urls} if group in joined_groups else urls
        elif group in removed:
            sources[group] = None
    return {**facts, SOURCES: sources}


def measured(row: Mapping[str, Any], *fields: str) -> dict[str, Json]:
    """Return the fields of a table that a row has, as facts in their units."""
    facts: dict[str, Json] = {}
    for field in fields:
        if field in row:
            name, unit = _fact(field)
            facts[name] = round(row[field] * unit) if unit else row[field]
    return facts


def fact_name(field: str) -> str:
    """Return the fact that a field of tables states."""
    return _fact(field)[0]


def _fact(field: str) -> tuple[str, int]:
    """Return the fact that a field of tables states, and its unit; 0 if it has none."""
    return UNITS.get(field, (RENAMED.get(field, field), 0))


def pages(*statements: Statement) -> tuple[str, ...]:
    """Return the URLs of all statements, each once."""
    return tuple(dict.fromkeys(url for statement in statements for url in statement.urls))


def groups() -> tuple[str, ...]:
    """Return the groups of facts, in the order of the schema."""
    return tuple(dict.fromkeys(_groups().values()))


# Decision 078: sources are stated for a group of facts, not for each.
def group_of(fact: str) -> str:
    """Return the group of a fact. Raises `KeyError` if there is no such fact."""
    return _groups()[fact]


@cache
def _groups() -> dict[str, str]:
    return fact_groups(Kind(HARDWARE, 1, shipped_facts.kinds()[HARDWARE]))
