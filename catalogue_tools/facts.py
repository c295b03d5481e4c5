"""Reads tables of facts: one file per table, one row per line, in a folder per source."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

from registry.services.core.shipped_facts import CATALOGUE

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

FACTS = CATALOGUE / "facts"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table, and the recorded files that they come from."""

    name: str
    header: Row
    rows: tuple[Row, ...]

    def url(self, source: int = 0, path: str = "") -> str:
        """Return the address of a source at its commit; `path` replaces that of the header."""
        origin = self.header["sources"][source]
        return (
            f"https://github.com/{origin['repo']}/blob/{origin['commit']}/{path or origin['path']}"
        )

    def pages(self, row: Row) -> tuple[str, ...]:
        """Return what states a row: `files` below the path of the first source, and `sources`.

        A row with neither is stated by the first source.
        """
        folder = self.header["sources"][0]["path"]
        files = [self.url(path=f"{folder}/{file}") for file in row.get("files", ())]
        others = row.get("sources", () if files else (0,))
        return (*files, *(self.url(source) for source in others))

    def by(self, field: str) -> Mapping[Any, Row]:
        """Return the rows that have a field, by its value."""
        return {row[field]: row for row in self.rows if field in row}


_replacements: dict[str, Table] = {}
_clear_caches: list[Callable[[], None]] = []


def cached(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Remember the results of a function that reads tables, as long as the tables stay."""
    remembered = cache(function)
    _clear_caches.append(remembered.cache_clear)
    return cast(Callable[Arguments, Result], remembered)


@contextmanager
def replaced_tables(tables: Mapping[str, Table]) -> Iterator[None]:
    """Let `read_table` return these tables, by name, in place of those of the files."""
    _replacements.update(tables)
    _forget()
    try:
        yield
    finally:
        _replacements.clear()
        _forget()


def _forget() -> None:
    for clear in _clear_caches:
        clear()


@cached
def read_table(name: str) -> Table:
    """Return the table with a name such as `karpenter/ec2_types`."""
    if name in _replacements:
        return _replacements[name]
    content = json.loads((FACTS / f"{name}.json").read_text(encoding="utf-8"))
    return Table(name, content["header"], tuple(content["rows"]))


@cached
def rows_by(name: str, field: str) -> Mapping[Any, Row]:
    """Return the rows of a table that have a field, by its value."""
    return read_table(name).by(field)


def url_of(name: str, source: int = 0, path: str = "") -> str:
    """Return the address of a source of a table, as `Table.url`."""
    return read_table(name).url(source, path)


def write_table(table: Table) -> None:
    text = table_text(table.header, table.rows)
    (FACTS / f"{table.name}.json").write_text(text, encoding="utf-8")


def table_text(header: Row, rows: Iterable[Row]) -> str:
    """Return the text of a table's file: an indented header, then one row per line."""
    head = json.dumps(header, ensure_ascii=False, indent=1)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{"header": {head},\n"rows": [\n{lines}\n]}}\n'
