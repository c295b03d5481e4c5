"""Groups of hardware facts, and the pages that state them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from registry.domain.document import Json
from registry.domain.kinds.kinds import HARDWARE, Kind, Kinds

SOURCES = "sources"  # lists of pages, by group of facts
ALL = "all"  # stands for every group


def hardware_of(target: Json) -> Mapping[str, Any]:
    """Return the hardware facts of a target's root; empty if it has none."""
    facts = target.get(HARDWARE) if isinstance(target, dict) else None
    return facts if isinstance(facts, dict) else {}


def without_facts(value: Json) -> Json:
    """Return a target without the hardware facts of any of its nodes: what compilers read."""
    if isinstance(value, dict):
        return {name: without_facts(item) for name, item in value.items() if name != HARDWARE}
    return [without_facts(item) for item in value] if isinstance(value, list) else value


def fact_groups(kind: Kind) -> dict[str, str]:
    """Return the group of each hardware fact, in the order of the kind's schema."""
    options = kind.schema["properties"]
    return {name: option["x-group"] for name, option in options.items() if "x-group" in option}


def unsourced_groups(
    facts: Mapping[str, Any], kinds: Kinds, exempt: Collection[str] = ()
) -> Iterator[str]:
    """Yield each group with a fact and no page that states it, in the order of the schema.

    A page of `all` states every fact; those in `exempt` need none.
    """
    sources = facts.get(SOURCES) or {}
    if HARDWARE not in kinds or ALL in sources:
        return
    groups = fact_groups(kinds[HARDWARE])
    stated = (groups[name] for name in groups if name in facts and name not in exempt)
    yield from (group for group in dict.fromkeys(stated) if group not in sources)
