"""A tag as a row in lists of tags."""

from __future__ import annotations

from dataclasses import dataclass

from registry.models import Entry
from registry.web.core.dates import Moment


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag in a list, and the date of its newest version if it has one."""

    entry: Entry
    published: Moment | None

    @classmethod
    def of(cls, entry: Entry) -> TagRow:
        """Return the row of a search entry."""
        return cls(entry, Moment(entry.version.published) if entry.version else None)
