"""Insertion of many rows without an instance of the model for each.

`bulk_create` takes eight times as long, most of it for instances and their SQL. For tables whose
other columns need no value, and whose rows nobody uses as instances afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection, models


def insert_rows(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    replacing_by: str = "",
) -> None:
    """Insert rows with values for these columns; others get no value but their key.

    A row with the same value in the unique column `replacing_by` is overwritten.
    """
    values = list(rows)
    if not values:
        return
    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(map(quote, columns))
    conflict = ""
    if replacing_by:
        updates = (f"{quote(name)} = EXCLUDED.{quote(name)}" for name in columns)
        conflict = f" ON CONFLICT ({quote(replacing_by)}) DO UPDATE SET {', '.join(updates)}"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            columnwise = [list(column) for column in zip(*values, strict=True)]
            added = _arrays(model, columns)
            cursor.execute(f"INSERT INTO {table} ({names}) {added}{conflict}", columnwise)
        else:
            placeholders = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {table} ({names}) VALUES ({placeholders}){conflict}"  # noqa: S608 - names of the model
            cursor.executemany(statement, values)


def _arrays(model: type[models.Model], columns: Sequence[str]) -> str:
    """Return PostgreSQL's query that yields rows from an array for each column."""
    arrays = ", ".join(f"%s::{_column_type(model, column)}[]" for column in columns)
    return f"SELECT * FROM UNNEST({arrays})"  # noqa: S608 - types of the model


def _column_type(model: type[models.Model], column: str) -> str | None:
    fields = {field.column: field for field in model._meta.concrete_fields}
    return fields[column].db_type(connection)


def add_to_rows(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> list[tuple[Any, ...]]:
    """Add to the column `number` of rows, of which these columns are the unique key.

    Each row ends with what to add. Rows that do not exist are created, and those whose number
    becomes 0 deleted. Returns the rows with their new numbers. At most two statements.
    """
    if not rows:
        return []
    add, delete = _additions(model, tuple(columns), connection.vendor)
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        columnwise = [list(column) for column in zip(*rows, strict=True)]
        cursor.execute(add, columnwise if is_postgresql else [json.dumps(rows)])
        changed = cursor.fetchall()
        if empty := [pk for pk, *_, number in changed if not number]:
            cursor.execute(delete, [empty if is_postgresql else json.dumps(empty)])
    return [tuple(row) for _, *row in changed]


@lru_cache(maxsize=16)  # building them takes as long as running them
def _additions(model: type[models.Model], columns: Sequence[str], vendor: str) -> tuple[str, str]:
    """Return the statements of `add_to_rows`, which take one parameter for any number of rows."""
    quote = connection.ops.quote_name
    table, key = quote(model._meta.db_table), ", ".join(map(quote, columns))
    indexes = ", ".join(f"value ->> {index}" for index in range(len(columns) + 1))
    added = f"SELECT {indexes} FROM json_each(%s) WHERE true"  # noqa: S608 - numbers
    given = "IN (SELECT value FROM json_each(%s))"
    if vendor == "postgresql":
        added, given = _arrays(model, (*columns, "number")), "= ANY(%s)"
    add = (
        f"INSERT INTO {table} ({key}, number) {added} "
        f"ON CONFLICT ({key}) DO UPDATE SET number = {table}.number + EXCLUDED.number "
        f"RETURNING id, {key}, number"
    )
    return add, f"DELETE FROM {table} WHERE id {given}"  # noqa: S608 - names of the model
