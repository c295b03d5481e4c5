"""A search for tags, and its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from registry.domain.search.comparable_facts import FactOrder
from registry.domain.search.conditions import Condition
from registry.domain.search.missing_products import MissingProduct
from registry.models import Entry
from registry.services.search import facets
from registry.services.search.orders import Sort

PAGE_SIZE = 50  # rows of a list, unless a limit is given


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search for tags; an empty text matches all tags. `facts` are keyed by facet.

    Deprecated tags are left out unless the facts state a status. A text finds them by their whole
    name, or if nothing else matches.
    """

    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    where: tuple[Condition, ...] = ()
    sort: Sort | FactOrder = Sort.BEST
    limit: int | None = None
    is_typed: bool = False  # the last word may be the beginning of any other

    @property
    def page_size(self) -> int:
        """Return the number of tags on a page."""
        return self.limit or PAGE_SIZE


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A page of entries with their newest versions.

    `next_key` is the sort key of the last entry, None on the last page. `total` and `counts`, all
    values of each facet, count all matches, or at least that many if `is_capped`. All have every
    deciding word of the text, or names that begin with `beginning`. `missing` are products that the
    catalogue is known not to have, `nearest` other machines with the same facts and attributes,
    `ignored` the words that no tag has, and versions of toolkits, `unread` those beyond the limits.
    `unstated` counts the matches that do not state the fact of the order, if it is one by a fact.
    """

    entries: tuple[Entry, ...]
    next_key: list[Any] | None
    total: int
    counts: Mapping[str, tuple[facets.FacetValue, ...]]
    is_capped: bool = False
    nearest: tuple[Entry, ...] = ()
    missing: tuple[MissingProduct, ...] = ()
    ignored: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    beginning: str = ""
    unstated: int | None = None

    @property
    def facets(self) -> dict[str, tuple[facets.FacetValue, ...]]:
        """Return the most frequent values of each facet."""
        return {facet: values[: facets.MAX_VALUES] for facet, values in self.counts.items()}

    @property
    def cut_facets(self) -> tuple[str, ...]:
        """Return the facets that have more values than `facets` lists."""
        return tuple(name for name in self.counts if len(self.counts[name]) > facets.MAX_VALUES)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return all words that results need not have."""
        return (*self.ignored, *self.unread)

    @property
    def similar(self) -> tuple[Entry, ...]:
        """Return other machines if none is the one that was searched for."""
        return () if self.entries else self.nearest
