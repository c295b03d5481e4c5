"""The form that filters the tag list by hardware facts, and the links that sort by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from registry.domain.errors import Refused
from registry.domain.search.comparable_facts import (
    COMPARABLE_FACTS,
    MAX,
    MIN,
    RANGE_PARAMETERS,
    ComparableFact,
    FactOrder,
    range_conditions,
)

ENDS = {MIN: "from", MAX: "up to", "": ""}  # words for people


def range_fields(ranges: Mapping[str, str]) -> list[tuple[str, list[dict[str, str]]]]:
    """Return the title and the fields for both ends of each fact; an exact year is both ends."""
    return [
        (fact.title, [_end(fact, f"{fact.name}{end}", ranges) for end in (MIN, MAX)])
        for fact in COMPARABLE_FACTS.values()
    ]


def _end(fact: ComparableFact, name: str, ranges: Mapping[str, str]) -> dict[str, str]:
    """Return the field for one end of a range, with the error of its value."""
    source = name if name in ranges else fact.name
    text = ranges.get(source, "")
    return {
        "name": name,
        "label": range_label(name),
        "placeholder": ENDS[name.removeprefix(fact.name)],
        "value": text,
        "error": _error(source, text),
    }


def range_label(parameter: str) -> str:
    """Return the words for a parameter: `Memory from` for `memory_min`."""
    fact, _ = RANGE_PARAMETERS[parameter]
    return f"{fact.title} {ENDS[parameter.removeprefix(fact.name)]}".strip()


def _error(name: str, text: str) -> str:
    if text:
        try:
            list(range_conditions({name: text}))
        except Refused as refusal:
            return f"Expected {refusal.faults[0].expected}"
    return ""


def fact_sorts(
    current: str, facts: Iterable[ComparableFact]
) -> Iterator[tuple[str, FactOrder, bool]]:
    """Yield text, order and whether it is in use; the order in use is followed by its reverse."""
    in_use = FactOrder.parse(current)
    for fact in facts:
        is_used = in_use is not None and in_use.fact is fact
        order = FactOrder(fact, is_used and not in_use.is_reversed if in_use else False)
        yield fact.title.lower(), order, is_used
