"""Expressions for queries that are slow as Django or the database would do them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import BooleanField, CharField, F, Func
from django.db.models.sql.compiler import SQLCompiler

from registry.models.prepared_queries import among, one_parameter


class OneOf(Func):
    """A condition: a column holds one of some keys, which are a single parameter.

    For hundreds of keys the lookup `__in` takes longer than the query: it prepares each key alone.
    """

    output_field = BooleanField()

    def __init__(self, column: str, keys: Iterable[int]) -> None:
        super().__init__(F(column))
        self.keys = tuple(keys)

    def as_sql(self, compiler: SQLCompiler, connection: Any, *_: Any, **__: Any) -> Any:
        """Compile the condition, with all keys in one parameter."""
        vendor = connection.vendor
        template = f"%(expressions)s {among(vendor)}".replace("%s", "%%s")
        sql, params = super().as_sql(compiler, connection, template=template)
        return sql, (*params, one_parameter(self.keys, vendor))


class Unindexed(Func):
    """A text column as an expression, so that no index of it is used.

    Without statistics, planners prefer the range of a text to a few hundred keys.
    """

    output_field = CharField()
    template = "(%(expressions)s || '')"

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **_: Any) -> Any:
        """Compile to SQLite's own hint, which takes no time."""
        return self.as_sql(compiler, connection, template="+%(expressions)s")
