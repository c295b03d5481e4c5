"""A tag as a row in lists of tags."""

from __future__ import annotations

from dataclasses import dataclass

from registry.domain.search.comparable_facts import FactOrder
from registry.models import Entry
from registry.web.core.units import fact_text

VISIBLE = frozenset({"name", "vendor", "arch", "/kind"})  # fields that have a column
FIELDS = {
    "/hardware/model": "model",
    "/hardware/family": "family",
    "/hardware/category": "category",
}


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag in a list.

    `fact` is the value that the list is sorted by; `reasons` are the fields and values by which
    the tag matches a search.
    """

    entry: Entry
    fact: str = ""
    reasons: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, entry: Entry, order: FactOrder | None = None) -> TagRow:
        """Return the row of a search entry, with the fact that its list is sorted by."""
        fact = fact_text(order.fact, entry.fact_value) if order else ""
        reasons = (
            (FIELDS.get(reason.field) or reason.field.lstrip("/"), reason.value)
            for reason in entry.reasons
            if reason.field not in VISIBLE
        )
        return cls(entry, fact, tuple(reasons))
