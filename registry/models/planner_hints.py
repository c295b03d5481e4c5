"""Expressions for queries that are slow as Django or the database would do them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, CharField, F, Func
from django.db.models.sql.compiler import SQLCompiler


class OneOf(Func):
    """A condition: a column holds one of some keys, which are a single parameter.

    For hundreds of keys the lookup `__in` takes longer than the query: it prepares each key alone.
    """

    output_field = BooleanField()

    def __init__(self, column: str, keys: Iterable[int]) -> None:
        super().__init__(F(column))
        self.keys = tuple(keys)

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **_: Any) -> Any:
        """Compile for SQLite, which has no arrays."""
        template = "%(expressions)s IN (SELECT value FROM json_each(%%s))"
        return self._with_keys(compiler, connection, template, json.dumps(self.keys))

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **_: Any) -> Any:
        """Compile for PostgreSQL, which has arrays."""
        return self._with_keys(compiler, connection, "%(expressions)s = ANY(%%s)", list(self.keys))

    def _with_keys(
        self, compiler: SQLCompiler, connection: Any, template: str, keys: Any
    ) -> tuple[str, tuple[Any, ...]]:
        sql, params = self.as_sql(compiler, connection, template=template)
        return sql, (*params, keys)


class Unindexed(Func):
    """A text column as an expression, so that no index of it is used.

    Without statistics, planners prefer the range of a text to a few hundred keys.
    """

    output_field = CharField()
    template = "(%(expressions)s || '')"

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **_: Any) -> Any:
        """Compile to SQLite's own hint, which takes no time."""
        return self.as_sql(compiler, connection, template="+%(expressions)s")
