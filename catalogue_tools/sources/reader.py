"""The reader of a table: a function that returns its rows from a clone of their source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from registry.domain.pointer import natural_key


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows that a clone gives, and the products in it that the table leaves out.

    `not_taken` lists what a person may want to add: products that no filter excludes, but that
    the catalogue lacks another fact of, such as the processor of a new family.
    """

    rows: tuple[Row, ...]
    not_taken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """A function that reads a clone of `repo` into a table.

    It gets the clone and the table as it is, and raises `SourceError`. `paths` are the files and
    folders that it reads, for a sparse clone. The fields of `key` identify a row.
    """

    table: str
    repo: str
    paths: tuple[str, ...]
    key: tuple[str, ...]
    read: Callable[[Clone, Table], Reading]

    @property
    def source(self) -> str:
        """Return the folder of the table."""
        return self.table.partition("/")[0]

    def reads(self, origin: Row) -> bool:
        """Return whether a source in a table's header is one that this function reads."""
        folder = origin["path"].rstrip("/")
        return origin["repo"] == self.repo and any(path.startswith(folder) for path in self.paths)


def sorted_rows(rows: Iterable[Row], *fields: str) -> tuple[Row, ...]:
    """Return rows in the natural order of some fields: 9 before 10."""
    return tuple(sorted(rows, key=lambda row: [natural_key(str(row[field])) for field in fields]))


def number(text: str, what: str) -> int:
    """Return a whole number. Raises `SourceError` if the text of `what` is none."""
    if not re.fullmatch(r"[0-9]+", text):
        raise SourceError(f"{what} is {text!r}, not a whole number: has the file another form?")
    return int(text)


def require(items: Any, path: str, what: str) -> None:
    """Raise `SourceError` if a file that should list products gave none."""
    if not items:
        raise SourceError(f"{path} has no {what}: has the file another form?")
