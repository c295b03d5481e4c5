"""Keyset pagination: pages with the sort key after which the next page starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

PAGE = 100  # rows

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """The rows of one page; `next_key` is the last row's sort key, None on the last page."""

    rows: tuple[R, ...]
    next_key: list[Any] | None


def paginate(rows: QuerySet[Any, R] | Sequence[R], key: Callable[[R], list[Any]]) -> Page[R]:
    """Return the first 100 of some ordered rows as a page. One query, which reads 101 rows."""
    batch = tuple(rows[: PAGE + 1])
    return Page(batch[:PAGE], key(batch[PAGE - 1]) if len(batch) > PAGE else None)
