"""Insertion of many rows without an instance of the model for each.

`bulk_create` takes eight times as long, most of it for instances and their SQL. For tables whose
other columns need no value, and whose rows nobody uses as instances afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
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
            added, columnwise = _arrays(model, columns, values)
            cursor.execute(f"INSERT INTO {table} ({names}) {added}{conflict}", columnwise)
        else:
            placeholders = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {table} ({names}) VALUES ({placeholders}){conflict}"  # noqa: S608 - names of the model
            cursor.executemany(statement, values)


def _arrays(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> tuple[str, list[Any]]:
    """Return PostgreSQL's query that yields rows, and its parameters, an array for each column."""
    types = [_column_type(model, column) for column in columns]
    arrays = ", ".join(f"%s::{column_type}[]" for column_type in types)
    columnwise = [list(column) for column in zip(*rows, strict=True)]
    return f"SELECT * FROM UNNEST({arrays})", columnwise  # noqa: S608 - types of the model


def _column_type(model: type[models.Model], column: str) -> str | None:
    fields = {field.column: field for field in model._meta.concrete_fields}
    return fields[column].db_type(connection)


def add_to_rows(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> list[tuple[Any, ...]]:
    """Add to the column `number` of rows, of which these columns are the unique key.

    Each row ends with what to add. Rows that do not exist are created, and those whose number
    becomes 0 deleted. Returns the rows with their new numbers. Two statements.
    """
    if not rows:
        return []
    quote = connection.ops.quote_name
    table, key = quote(model._meta.db_table), ", ".join(map(quote, columns))
    added, values = _table_of(model, (*columns, "number"), rows)
    statement = (
        f"INSERT INTO {table} ({key}, {quote('number')}) {added} "
        f"ON CONFLICT ({key}) DO UPDATE SET number = {table}.number + EXCLUDED.number "
        f"RETURNING id, {key}, number"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        changed = cursor.fetchall()
    if empty := [pk for pk, *_, number in changed if not number]:
        model._base_manager.filter(pk__in=empty).delete()
    return [tuple(row) for _, *row in changed]


def _table_of(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> tuple[str, list[Any]]:
    """Return a query that yields rows, and its parameters: one for any number of rows."""
    if connection.vendor == "postgresql":
        return _arrays(model, columns, rows)
    values = ", ".join(f"value ->> {index}" for index in range(len(columns)))
    return f"SELECT {values} FROM json_each(%s) WHERE true", [json.dumps(rows)]  # noqa: S608
