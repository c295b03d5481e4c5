"""Pages of lists, without counting what nobody will page through."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.core.paginator import Paginator

MAX_COUNTED = 10_000  # rows; a count reads them all, and beyond this "many" says as much


class BoundedPaginator(Paginator):
    """Counts up to a bound, or as far as the page that is asked for and one more."""

    def __init__(self, rows: Any, per_page: int, *, wanted: int = 1) -> None:
        super().__init__(rows, per_page)
        self.bound = max(MAX_COUNTED, (wanted + 1) * per_page)

    @cached_property
    def counted(self) -> int:
        """Rows, at most one more than the bound."""
        rows: Any = self.object_list
        return int(rows[: self.bound + 1].count())

    @property
    def is_bounded(self) -> bool:
        """Whether there are more rows than were counted."""
        return self.counted > self.bound

    @property
    def count(self) -> int:
        """Rows that can be paged to from here."""
        return min(self.counted, self.bound)


def requested_page(text: str) -> int:
    """The page that a query string asks for; the first where it asks for none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
