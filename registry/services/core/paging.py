"""Keyset pagination: pages with the sort key after which the next page starts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.http import QueryDict

from registry.domain.errors import echo
from registry.domain.names.choices import invalid_filter

PAGE = 100  # rows, and the largest limit
LIMIT = "limit"  # the parameter
NUMBER = re.compile(r"0*([1-9][0-9]{0,2})")

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """The rows of one page; `next_key` is the last row's sort key, None on the last page."""

    rows: tuple[R, ...]
    next_key: list[Any] | None


def paginate(
    rows: QuerySet[Any, R] | Sequence[R], key: Callable[[R], list[Any]], *, limit: int | None = None
) -> Page[R]:
    """Return the first of some ordered rows as a page: 100, or `limit`.

    One query, which reads one row more.
    """
    size = limit or PAGE
    batch = tuple(rows[: size + 1])
    return Page(batch[:size], key(batch[size - 1]) if len(batch) > size else None)


def parse_limit(parameters: QueryDict) -> int | None:
    """Return the number of rows that a request wants on a page, from 1 to 100; None if unset.

    Raises `Refused` (FILTER_INVALID).
    """
    text = parameters.get(LIMIT, "")
    match = NUMBER.fullmatch(text)
    if text and (match is None or int(match[1]) > PAGE):
        message = f"{LIMIT}={echo(text)} is not valid"
        raise invalid_filter(message, f"a whole number from 1 to {PAGE}", echo(text))
    return int(match[1]) if match else None
