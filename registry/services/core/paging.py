"""Pages of lists: as many rows as one answer holds, and after which the next page begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

PAGE = 100  # rows

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """Some rows; `following` is the sort key of the last of them, None where no more follow."""

    rows: tuple[R, ...]
    following: list[Any] | None


def paginate(found: QuerySet[Any, R] | Sequence[R], key: Callable[[R], list[Any]]) -> Page[R]:
    """The first hundred of some rows in order. One query, which reads one row more."""
    rows = tuple(found[: PAGE + 1])
    return Page(rows[:PAGE], key(rows[PAGE - 1]) if len(rows) > PAGE else None)
