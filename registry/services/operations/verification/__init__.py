"""The checks of `verify`, by part of the database, and the findings that they yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from django.db.models import QuerySet

from registry.domain.errors import echo

BATCH = 500  # rows that share queries
WINDOW = 80  # characters shown of a long text

Progress: TypeAlias = Callable[[int, int], None]  # rows done, rows in total


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in a row of a table, and the expected state.

    `is_damage` is false for rows that an earlier release could write.
    """

    table: str
    row: str
    problem: str
    expected: str
    is_damage: bool = True

    def __str__(self) -> str:
        return f"{self.table} {self.row}: {self.problem}; expected {self.expected}"


def mismatch(
    table: str, row: str, column: str, actual: object, expected: object, *, by: str = ""
) -> Finding:
    """Return a finding for a column with an unexpected value; `by` names the expectation's source.

    Long texts are cut around their first difference.
    """
    if isinstance(actual, str) and isinstance(expected, str) and len(actual) > WINDOW:
        pairs = zip(actual, expected, strict=False)
        first = next((i for i, (left, right) in enumerate(pairs) if left != right), len(actual))
        start = max(first - WINDOW // 4, 0)
        actual, expected = _window(actual, start), _window(expected, start)
    return Finding(table, row, f"{column} is {echo(actual)}", f"{by} {echo(expected)}".strip())


def _window(text: str, start: int) -> str:
    before, after = "…" * (start > 0), "…" * (len(text) > start + WINDOW)
    return f"{before}{text[start : start + WINDOW]}{after}"


def in_batches(rows: QuerySet[Any, Any], progress: Progress) -> Iterator[list[Any]]:
    """Yield the rows of a query, 500 at a time, and report each batch when it is done."""
    done, total = 0, rows.count()
    iterator = rows.iterator(chunk_size=BATCH)
    while batch := list(islice(iterator, BATCH)):
        yield batch
        done += len(batch)
        progress(done, total)
    if not total:
        progress(0, 0)
