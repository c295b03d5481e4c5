"""Compares a table with what a newer commit of its source gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from catalogue_tools.facts import Row, Table
from catalogue_tools.sources.clone import Clone, SourceError
from catalogue_tools.sources.reader import Reader, Reading
from registry.domain.document import Json, is_same_json


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row that both tables have, with the old and new values of the fields that differ."""

    key: str
    fields: tuple[tuple[str, Json, Json], ...]  # name, old, new; None where a row lacks the field


@dataclass(frozen=True, slots=True)
class TableChanges:
    """The differences of two tables, by the key of each row, and the products left out."""

    table: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedRow, ...]
    same: int
    not_taken: tuple[str, ...] = ()


# Decision 077: a table is refreshed from a clone, and its impact shown before.
def refresh(table: Table, reader: Reader, clone: Clone, today: date) -> tuple[Table, Reading]:
    """Return the table as a clone gives it, and what was read.

    Its header names the commit of the clone; the rest of it stays. Raises `SourceError` if the
    clone cannot be read, or is older than the commit that the table names.
    """
    recorded = [origin for origin in table.header["sources"] if reader.reads(origin)]
    newest = max((origin.get("commit_date") or "" for origin in recorded), default="")
    if clone.commit_date < newest:
        raise SourceError(
            f"The clone is of {clone.commit_date}, but {table.name} has facts of {newest}: "
            "fetch a newer commit."
        )
    reading = reader.read(clone, table)
    _row_keys(reading.rows, reader)
    if clone.commit in {origin["commit"] for origin in recorded} and [*table.rows] == [
        *reading.rows
    ]:
        return table, reading
    header = {**table.header, "retrieved": today.isoformat()}
    header["sources"] = [_at_commit(origin, reader, clone) for origin in header["sources"]]
    if "count" in header:
        header["count"] = len(reading.rows)
    return Table(table.name, header, reading.rows), reading


def compare_rows(old: Sequence[Row], reading: Reading, reader: Reader) -> TableChanges:
    """Return how the rows of a table and those read differ, whatever their order."""
    before, after = _row_keys(old, reader), _row_keys(reading.rows, reader)
    both = [key for key in after if key in before]
    differences = [(key, tuple(_fields(before[key], after[key]))) for key in both]
    changed = tuple(ChangedRow(key, fields) for key, fields in differences if fields)
    return TableChanges(
        reader.table,
        tuple(key for key in after if key not in before),
        tuple(key for key in before if key not in after),
        changed,
        len(both) - len(changed),
        reading.not_taken,
    )


def _at_commit(origin: Row, reader: Reader, clone: Clone) -> Row:
    if not reader.reads(origin):
        return origin
    return {**origin, "commit": clone.commit, "commit_date": clone.commit_date}


def _row_keys(rows: Sequence[Row], reader: Reader) -> dict[str, Row]:
    keyed: dict[str, Row] = {}
    for row in rows:
        key = " ".join(str(row[field]) for field in reader.key)
        if key in keyed:
            raise SourceError(f"{reader.table} would have two rows {key}.")
        keyed[key] = row
    return keyed


def _fields(old: Row, new: Row) -> Iterator[tuple[str, Json, Json]]:
    for name in sorted(old.keys() | new.keys()):
        if not is_same_json(old.get(name), new.get(name)):
            yield name, old.get(name), new.get(name)
