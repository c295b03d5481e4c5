"""Counts the facts that names of each category state, as the page of the catalogue does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from catalogue_tools.in_memory import InMemoryRegistry
from registry.domain.kinds.expected_facts import EXPECTED_FACTS, OPTIONS, stated_fact
from registry.domain.kinds.kinds import HARDWARE
from registry.services.core.shipped_facts import ShippedTag
from ttag_rules.pointer import PointerUnknown, look_up


def fact_counts(
    registry: InMemoryRegistry, tags: Iterator[ShippedTag]
) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Return the number of names by category, and of those that state a fact by category and fact.

    Leaves out families, variants and deprecated tags. `tags` are the shipped ones.
    """
    names: Counter[str] = Counter()
    stated: Counter[tuple[str, str]] = Counter()
    for tag in tags:
        if tag.is_family or tag.deprecated or ":" in tag.name:
            continue
        target = registry.versions[tag.name][-1].published.target
        category = _value(target, "category")
        if isinstance(category, str) and category in EXPECTED_FACTS:
            names[category] += 1
            expected = (*EXPECTED_FACTS[category], *OPTIONS)
            facts = {stated_fact(fact) for fact in expected if _value(target, fact) is not None}
            stated.update((category, fact) for fact in facts)
    return names, stated


def _value(target: object, fact: str) -> object:
    try:
        return look_up(target, f"/{HARDWARE}/{fact}")
    except PointerUnknown:
        return None
