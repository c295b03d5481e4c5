"""Runs several limited queries as one: a round trip, instead of one for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def rows_of_each(queries: Sequence[QuerySet[Any, Any]]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each query, in any order. One query, or none if there are none.

    The columns of all queries have the same types.
    Django's own `union` refuses limits on SQLite, which has no parentheses around its parts.
    """
    rows: list[list[tuple[Any, ...]]] = [[] for _ in queries]
    if not queries:
        return rows
    parts: list[str] = []
    params: list[Any] = []
    for index, query in enumerate(queries):
        statement, values = query.query.sql_with_params()
        parts.append(f"SELECT {index}, part.* FROM ({statement}) AS part")  # noqa: S608 - Django's
        params += values
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), params)
        for index, *row in cursor.fetchall():
            rows[index].append(tuple(row))
    return rows
