"""What is wrong with a stored row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from django.db.models import QuerySet

from registry.domain.errors import echo

BATCH = 500  # rows that are looked at with the same queries
WINDOW = 80  # characters that are shown of a long text

Progress: TypeAlias = Callable[[int, int], None]  # how much is done, of how much


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong: in which table and row, what, and what should stand there."""

    table: str
    row: str
    what: str
    expected: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}: {self.what}; expected {self.expected}"


def mismatch(
    table: str, row: str, column: str, found: object, expected: object, *, by: str = ""
) -> Finding:
    """A column that does not hold what follows from others; `by` says from which.

    Of long texts, what stands around the first difference.
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
    """The rows of a query, 500 at a time, each batch reported when it has been looked at."""
    done, total = 0, rows.count()
    found = rows.iterator(chunk_size=BATCH)
    while batch := list(islice(found, BATCH)):
        yield batch
        done += len(batch)
        progress(done, total)
    if not total:
        progress(0, 0)
