"""Pagination without counting whole tables."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.utils.functional import cached_property

MAX_COUNTED = 10_000  # rows; a count reads every row


class BoundedPaginator(Paginator):
    """A paginator that counts up to a bound, or one page beyond the requested one."""

    def __init__(self, rows: Any, per_page: int, *, page_number: int = 1) -> None:
        super().__init__(rows, per_page)
        self.bound = max(MAX_COUNTED, (page_number + 1) * per_page)

    @cached_property
    def counted(self) -> int:
        """Return the number of rows, at most one more than the bound."""
        rows: Any = self.object_list
        return int(rows[: self.bound + 1].count())

    @property
    def is_bounded(self) -> bool:
        """Return whether there are more rows than were counted."""
        return self.counted > self.bound

    @property
    def count(self) -> int:
        """Return the number of rows reachable by paging."""
        return min(self.counted, self.bound)


def page_number_of(text: str) -> int:
    """Return the page number in the query string, 1 by default."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 1
