"""A tag as a row in lists of tags."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.comparable_facts import FactOrder
from registry.models import Entry
from registry.web.core.dates import Moment
from registry.web.core.units import fact_text


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag in a list, the date of its newest version if it has one, and the fact of the order."""

    entry: Entry
    published: Moment | None
    fact: str = ""

    @classmethod
    def of(cls, entry: Entry, order: FactOrder | None = None) -> TagRow:
        """Return the row of a search entry, with the fact that its list is sorted by."""
        published = Moment(entry.version.published) if entry.version else None
        return cls(entry, published, fact_text(order.fact, entry.fact_value) if order else "")
