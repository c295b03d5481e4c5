"""Insertion and deletion of many rows with one statement, and without Django's work for each value.

`bulk_create` takes eight times as long, most of it for instances and their SQL. Rows that nobody
uses as instances afterwards need none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models

from registry.models.prepared_queries import among, cursor_of, one_parameter

M = TypeVar("M", bound=models.Model)

# Decision 182: one statement for each row takes up to half as long again.
TOGETHER = 500  # rows that a statement of SQLite inserts; 32,766 parameters are its limit


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
    with cursor_of(connections[DEFAULT_DB_ALIAS]) as cursor:
        _insert(cursor, model, columns, values, _conflict(columns, replacing_by))


def _conflict(columns: Sequence[str], unique: str) -> str:
    """Return the clause that overwrites a row with the same value in a unique column, if any."""
    if not unique:
        return ""
    quote = connection.ops.quote_name
    updates = ", ".join(f"{quote(name)} = EXCLUDED.{quote(name)}" for name in columns)
    return f" ON CONFLICT ({quote(unique)}) DO UPDATE SET {updates}"


# Decision 174: bulk_create spends most of its time on SQL for each value.
def insert_instances(instances: Iterable[M], *, replacing_by: str = "") -> list[M]:
    """Insert instances of one model, and set the keys that the database numbers.

    Their values must have the types of the columns: only dates are converted. `replacing_by` is as
    in `insert_rows`, for models with keys of their own. Call under the write lock: on SQLite, the
    new keys follow each other.
    """
    new = list(instances)
    if not new:
        return []
    model, alias = type(new[0]), connection.alias
    key = model._meta.auto_field
    fields = [field for field in model._meta.concrete_fields if field is not key]
    columns = [str(field.column) for field in fields]
    rows = list(zip(*(map(_getter(field), new) for field in fields), strict=True))
    with cursor_of(connections[DEFAULT_DB_ALIAS]) as cursor:
        if key is None:
            _insert(cursor, model, columns, rows, _conflict(columns, replacing_by))
        else:
            keys = _insert_numbered(cursor, model, columns, rows)
            for instance, pk in zip(new, keys, strict=True):
                instance.pk = pk
    for instance in new:
        instance._state.adding, instance._state.db = False, alias
    return new


def _getter(field: Any) -> Callable[[models.Model], Any]:
    """Return the function from an instance to the value of a column, for the database."""
    if isinstance(field, models.DateField):  # or with a time
        database = connections[connection.alias]  # itself; a proxy looks it up for each value
        return lambda instance: field.get_db_prep_save(field.pre_save(instance, True), database)
    return attrgetter(field.attname)


def _insert_numbered(
    cursor: Any, model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> Iterable[int]:
    """Insert rows to which the database gives keys; return these in the order of the rows."""
    if connection.vendor == "postgresql":
        _insert(cursor, model, columns, rows, " RETURNING id")
        return [pk for (pk,) in cursor.fetchall()]
    *others, last = rows
    if others:
        _insert(cursor, model, columns, others)
    cursor.execute(_statement(model, columns), last)  # `executemany` does not tell the key
    return range(cursor.lastrowid - len(others), cursor.lastrowid + 1)


def _insert(
    cursor: Any,
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    ending: str = "",
) -> None:
    """Insert rows with a statement that ends with these clauses."""
    if connection.vendor == "postgresql":
        statement = f"{_statement(model, columns)}{ending}"
        cursor.execute(statement, [list(column) for column in zip(*rows, strict=True)])
        return
    whole = len(rows) - len(rows) % TOGETHER
    if whole:
        statement = f"{_statement(model, columns, TOGETHER)}{ending}"
        starts = range(0, whole, TOGETHER)
        cursor.executemany(statement, ([*chain(*rows[at : at + TOGETHER])] for at in starts))
    if rows[whole:]:
        cursor.executemany(f"{_statement(model, columns)}{ending}", rows[whole:])


def _statement(model: type[models.Model], columns: Sequence[str], number: int = 1) -> str:
    """Return the statement that inserts some rows, on PostgreSQL one for each item of arrays."""
    return _build_statement(model, tuple(columns), connection.vendor, number)


@lru_cache(maxsize=128)  # building them takes as long as running them
def _build_statement(
    model: type[models.Model], columns: tuple[str, ...], vendor: str, number: int
) -> str:
    quote = connection.ops.quote_name
    table, names = quote(model._meta.db_table), ", ".join(map(quote, columns))
    values = f"({', '.join(['%s'] * len(columns))})"
    values = f"VALUES {', '.join([values] * number)}"
    if vendor == "postgresql":
        values = _arrays(model, columns)
    return f"INSERT INTO {table} ({names}) {values}"


def _arrays(model: type[models.Model], columns: Sequence[str]) -> str:
    """Return PostgreSQL's query that yields rows from an array for each column."""
    arrays = ", ".join(f"%s::{_column_type(model, column)}[]" for column in columns)
    return f"SELECT * FROM UNNEST({arrays})"  # noqa: S608 - types of the model


def _column_type(model: type[models.Model], column: str) -> str | None:
    fields = {field.column: field for field in model._meta.concrete_fields}
    return fields[column].db_type(connection)


def delete_rows(model: type[models.Model], keys: Collection[int]) -> None:
    """Delete the rows with these primary keys, which no other row refers to."""
    if not keys:
        return
    quote = connection.ops.quote_name
    table, column = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    with cursor_of(connections[DEFAULT_DB_ALIAS]) as cursor:
        statement = f"DELETE FROM {table} WHERE {column} {among(connection.vendor)}"  # noqa: S608 - names of the model
        cursor.execute(statement, [one_parameter(keys, connection.vendor)])


def add_to_rows(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> list[tuple[Any, ...]]:
    """Add to the column `number` of rows, of which these columns are the unique key.

    Each row ends with what to add. Rows that do not exist are created, and those whose number
    becomes 0 deleted. Returns the rows with their new numbers. At most two statements.
    """
    if not rows:
        return []
    with cursor_of(connections[DEFAULT_DB_ALIAS]) as cursor:
        columnwise = [list(column) for column in zip(*rows, strict=True)]
        is_postgresql = connection.vendor == "postgresql"
        statement = _addition(model, tuple(columns), connection.vendor)
        cursor.execute(statement, columnwise if is_postgresql else [json.dumps(rows)])
        changed = cursor.fetchall()
    delete_rows(model, [pk for pk, *_, number in changed if not number])
    return [tuple(row) for _, *row in changed]


@lru_cache(maxsize=16)  # building it takes as long as running it
def _addition(model: type[models.Model], columns: Sequence[str], vendor: str) -> str:
    """Return the statement of `add_to_rows`, for any number of rows."""
    quote = connection.ops.quote_name
    table, key = quote(model._meta.db_table), ", ".join(map(quote, columns))
    indexes = ", ".join(f"value ->> {index}" for index in range(len(columns) + 1))
    added = f"SELECT {indexes} FROM json_each(%s) WHERE true"  # noqa: S608 - numbers
    if vendor == "postgresql":
        added = _arrays(model, (*columns, "number"))
    return (
        f"INSERT INTO {table} ({key}, number) {added} "
        f"ON CONFLICT ({key}) DO UPDATE SET number = {table}.number + EXCLUDED.number "
        f"RETURNING id, {key}, number"
    )
