"""Shares of tags that count a kind, its options and their values, linked to lists of those tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from registry.domain.search.counted_options import HOST
from registry.services.search.facets import FacetValue
from registry.services.search.kind_counts import MAX_VALUES, KindCounts, NodePosition, OptionCount
from registry.web.core.units import SCALED, humanize
from ttag_rules.echo import shorten

MAX_LINKS = 240  # to values, on one page; each takes about 130 bytes
MAX_TEXT = 60  # characters of a value


@dataclass(frozen=True, slots=True)
class Share:
    """A number of tags out of the `total` that have the kind in the same position."""

    position: str
    tags: int
    total: int
    url: str = ""

    @property
    def percent(self) -> int:
        """Return the share in percent, rounded, but at least 1."""
        return max(1, round(100 * self.tags / self.total)) if self.total else 0


@dataclass(frozen=True, slots=True)
class OptionShare:
    """The share of an option in one position, with its most frequent values.

    A value is its text, the number with its unit, the number of tags that set it, and the URL of
    their list; that is empty if search has no condition for the value.
    """

    share: Share
    values: tuple[tuple[str, str, int, str], ...]
    other_values: int


def kind_shares(counts: KindCounts) -> list[Share]:
    """Return the number of tags that have the kind in each position."""
    return [
        Share(
            _label(position),
            tags,
            tags,
            list_url(position) if position.facts or position.where else "",
        )
        for position, tags in counts.tags
        if tags or position.pointer != HOST
    ]


def option_shares(
    counts: KindCounts, units: Mapping[str, str], selected: str = ""
) -> dict[str, tuple[OptionShare, ...]]:
    """Return the share of each option in each position, with its most frequent values.

    The more options, the fewer values of each; the `selected` option has all that were counted.
    """
    totals = {position.pointer: tags for position, tags in counts.tags}
    use_count = sum(map(len, counts.options.values()))
    max_values = max(1, min(MAX_VALUES, MAX_LINKS // max(1, use_count)))
    return {
        option: tuple(
            _option_share(
                count,
                option,
                units.get(option, ""),
                totals[count.position.pointer],
                MAX_VALUES if option == selected else max_values,
            )
            for count in positions
        )
        for option, positions in counts.options.items()
    }


def list_url(position: NodePosition, *conditions: str) -> str:
    """Return the URL of the tags that have a kind in a position and meet further conditions."""
    where = (("where", text) for text in (*position.where, *conditions))
    return f"{reverse('home')}?{urlencode([*position.facts.items(), *where], safe='/=,:')}"


def _option_share(
    count: OptionCount, option: str, unit: str, total: int, max_values: int
) -> OptionShare:
    return OptionShare(
        Share(_label(count.position), count.tags, total),
        tuple(_value_counts(count.position, option, unit, count.values[:max_values])),
        max(0, count.distinct - max_values),
    )


def _value_counts(
    position: NodePosition, option: str, unit: str, values: tuple[FacetValue, ...]
) -> Iterator[tuple[str, str, int, str]]:
    for value in values:
        condition = position.condition(option, value.value)
        number = int(value.value) if value.value.isdecimal() else None
        human = humanize(number, unit) if unit in SCALED else ""
        url = list_url(position, condition) if condition else ""
        yield shorten(value.value, MAX_TEXT), human, value.count, url


def _label(position: NodePosition) -> str:
    return "as host" if position.pointer == HOST else ""
