"""A tag as lists of tags show it."""

from __future__ import annotations

from dataclasses import dataclass

from registry.models import Entry
from registry.web.core.dates import Moment


@dataclass(frozen=True, slots=True)
class TagRow:
    """A tag in a list; when its newest version was published, where it has one."""

    entry: Entry
    published: Moment | None

    @classmethod
    def of(cls, entry: Entry) -> TagRow:
        """The row of what search has entered of a tag."""
        return cls(entry, Moment(entry.version.published) if entry.version else None)
