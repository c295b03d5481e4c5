"""The reader of a table: a function that returns its rows from a clone of their source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from ttag_rules.pointer import natural_key


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


Read = Callable[[Clone, Table], Iterable[Row | str]]

REGISTERED: list[Reader] = []


def table_reader(
    table: str, repo: str, *paths: str, key: str = "name", sort: bool = False
) -> Callable[[Read], Read]:
    """Register a function as the reader of a table.

    It yields rows, and a text for each product that it leaves out. `key` names the fields that
    identify a row. With `sort`, rows are put in the natural order of the first, 9 before 10.
    """

    fields = tuple(key.split())

    def register(read: Read) -> Read:
        def reading(clone: Clone, current: Table) -> Reading:
            items = list(read(clone, current))
            others = {item for item in items if isinstance(item, str)}
            rows = [item for item in items if not isinstance(item, str)]
            if sort:
                rows.sort(key=lambda row: natural_key(str(row[fields[0]])))
            return Reading(tuple(rows), tuple(sorted(others)))

        REGISTERED.append(Reader(table, repo, paths, fields, reading))
        return read

    return register


def renewed(table: Table, key: str, facts: Mapping[str, Row], reason: str) -> Iterator[Row | str]:
    """Yield the rows that people chose, with the facts that a source has by `key`.

    Rows that the source lost are left out; its other products are not taken for this reason.
    """
    yield from ({**row, **facts[row[key]]} for row in table.rows if row[key] in facts)
    yield from (f"{name}: {reason}" for name in facts.keys() - table.by(key))


@contextmanager
def form_of(path: str, problem: str) -> Iterator[None]:
    """Raise `SourceError` if what is read within has a problem with the form of the file."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SourceError(f"{path} {problem}: {error!r}.") from error


def number(text: str, what: str) -> int:
    """Return a whole number. Raises `SourceError` if the text of `what` is none."""
    if not re.fullmatch(r"[0-9]+", text):
        raise SourceError(f"{what} is {text!r}, not a whole number: has the file another form?")
    return int(text)
