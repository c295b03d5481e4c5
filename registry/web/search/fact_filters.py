"""The form that filters the tag list by hardware facts, and the links that sort by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """A field for one end of a range, and the error of its value."""

    name: str
    label: str
    placeholder: str
    value: str
    error: str


@dataclass(frozen=True, slots=True)
class RangeField:
    """The fields for both ends of the range of a fact."""

    title: str
    ends: tuple[RangeEnd, ...]

    @property
    def errors(self) -> list[tuple[str, str]]:
        """Return the name and the error of each invalid end."""
        return [(end.name, end.error) for end in self.ends if end.error]


def range_fields(ranges: Mapping[str, str]) -> list[RangeField]:
    """Return a field for each fact; an exact year is both ends."""
    return [
        RangeField(fact.title, tuple(_end(fact, f"{fact.name}{end}", ranges) for end in (MIN, MAX)))
        for fact in COMPARABLE_FACTS.values()
    ]


def _end(fact: ComparableFact, name: str, ranges: Mapping[str, str]) -> RangeEnd:
    source = name if name in ranges else fact.name
    text = ranges.get(source, "")
    placeholder = ENDS[name.removeprefix(fact.name)]
    return RangeEnd(name, range_label(name), placeholder, text, _error(source, text))


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
