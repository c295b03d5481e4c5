"""Findings of verification: what is wrong with a stored row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from django.db.models import QuerySet

from registry.domain.errors import echo

BATCH = 500  # rows that share queries
WINDOW = 80  # characters of a long text that are shown

Progress: TypeAlias = Callable[[int, int], None]  # rows done, rows in total


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a row of a table, and what was expected."""

    table: str
    row: str
    what: str
    expected: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}: {self.what}; expected {self.expected}"


def mismatch(
    table: str, row: str, column: str, found: object, expected: object, *, by: str = ""
) -> Finding:
    """Return a finding of a column that differs from its expected value; `by` gives the source.

    Long texts are cut around their first difference.
    """
    if isinstance(found, str) and isinstance(expected, str) and len(found) > WINDOW:
        pairs = zip(found, expected, strict=False)
        first = next((at for at, (left, right) in enumerate(pairs) if left != right), len(found))
        at = max(first - WINDOW // 4, 0)
        found, expected = _window(found, at), _window(expected, at)
    return Finding(table, row, f"{column} is {echo(found)}", f"{by} {echo(expected)}".strip())


def _window(text: str, at: int) -> str:
    before, after = "…" * (at > 0), "…" * (len(text) > at + WINDOW)
    return f"{before}{text[at : at + WINDOW]}{after}"


def in_batches(rows: QuerySet[Any, Any], progress: Progress) -> Iterator[list[Any]]:
    """Yield the rows of a query, 500 at a time, and report each batch when it is done."""
    done, total = 0, rows.count()
    found = rows.iterator(chunk_size=BATCH)
    while batch := list(islice(found, BATCH)):
        yield batch
        done += len(batch)
        progress(done, total)
    if not total:
        progress(0, 0)
