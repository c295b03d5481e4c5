"""How many tags use a kind and its options; every number links to the tags that it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from registry.services.search.facets import Value
from registry.services.search.option_usage import (
    HOST,
    MAX_VALUES,
    KindUsage,
    NodePosition,
    OptionUse,
)
from registry.web.core.units import SCALED, humanize

MAX_LINKS = 240  # to values, on one page; each weighs some 130 bytes
MAX_TEXT = 60  # characters of a value


@dataclass(frozen=True, slots=True)
class Share:
    """The number of tags that use something, of all tags with the kind at that place."""

    place: str
    tags: int
    every: int

    @property
    def percent(self) -> int:
        """Return the share in percent, rounded, but never to zero."""
        return max(1, round(100 * self.tags / self.every)) if self.every else 0


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of an option, the number of tags that set it, and the URL of their list, if any."""

    text: str
    human: str
    tags: int
    url: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The usage of an option at one place: its share, its most frequent values, and the rest."""

    share: Share
    settings: tuple[Setting, ...]
    others: int


def totals(usage: KindUsage) -> list[tuple[Share, str]]:
    """Return how many tags have a kind at each place, and the URL of their list."""
    return [
        (
            Share(_label(place), tags, tags),
            list_of(place) if place.facts or place.where else "",
        )
        for place, tags in usage.tags
        if tags or place.pointer != HOST
    ]


def uses(
    usage: KindUsage, units: Mapping[str, str], chosen: str = ""
) -> dict[str, tuple[Shown, ...]]:
    """Return the most frequent values of each option at each place: fewer of each if many.

    For the `chosen` option, all values that were counted.
    """
    every = {place.pointer: tags for place, tags in usage.tags}
    count = sum(map(len, usage.options.values()))
    fair = max(1, min(MAX_VALUES, MAX_LINKS // max(1, count)))
    return {
        option: tuple(
            _option_usage(
                use,
                option,
                units.get(option, ""),
                every[use.place.pointer],
                MAX_VALUES if option == chosen else fair,
            )
            for use in found
        )
        for option, found in usage.options.items()
    }


def list_of(place: NodePosition, *conditions: str) -> str:
    """Return the URL of the tags that have a kind at a place and meet further conditions."""
    asked = [*place.facts.items(), *(("where", text) for text in (*place.where, *conditions))]
    return f"{reverse('home')}?{urlencode(asked, safe='/=,:')}"


def _option_usage(use: OptionUse, option: str, unit: str, every: int, most: int) -> Shown:
    return Shown(
        Share(_label(use.place), use.tags, every),
        tuple(_settings(use.place, option, unit, use.values[:most])),
        max(0, use.different - most),
    )


def _settings(
    place: NodePosition, option: str, unit: str, values: tuple[Value, ...]
) -> Iterator[Setting]:
    for value in values:
        condition = place.condition(option, value.value)
        number = int(value.value) if value.value.isdecimal() else None
        human = humanize(number, unit) if unit in SCALED else ""
        text = value.value
        if len(text) > MAX_TEXT:
            text = f"{text[:MAX_TEXT]}…"
        yield Setting(text, human, value.count, list_of(place, condition) if condition else "")


def _label(place: NodePosition) -> str:
    return "as host" if place.pointer == HOST else ""
