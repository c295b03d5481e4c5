"""Statements that are built once a process, for what every request looks up.

Django builds the SQL of a queryset anew for each use. That takes milliseconds; the databases answer
these look-ups in a tenth of one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any, Final, Generic, TypeVar

from django.db import connection, models
from django.db.models import Lookup
from django.db.models.query import RawQuerySet
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=models.Model)

OPEN: Final = object()  # stands in a statement's parameters for the values of a call


@models.ForeignKey.register_lookup
@models.Field.register_lookup
class Among(Lookup):
    """`column__among=OPEN`: one of the values of a call; one parameter, however many they are."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """The parameter stays OPEN, until `Prepared` puts values there."""
        column, params = self.process_lhs(compiler, connection)
        postgresql = connection.vendor == "postgresql"
        values = "ANY(%s)" if postgresql else "(SELECT value FROM json_each(%s))"
        return f"{column} {'=' if postgresql else 'IN'} {values}", [*params, self.rhs]


class Prepared(Generic[M]):
    """A queryset, perhaps with the values of an `Among` left open: call it with them.

    Instances have the queryset's columns and annotations; it cannot hold `select_related`.
    """

    def __init__(self, build: Callable[[], models.QuerySet[Any]]) -> None:
        self._build = build
        self._statements: dict[str, tuple[type[M], str, tuple[Any, ...]]] = {}  # by database

    def __call__(self, values: Collection[str] | Collection[int] = ()) -> RawQuerySet[M]:
        """The rows for some values. One query, made when they are looked at."""
        if connection.vendor not in self._statements:
            queryset = self._build()
            sql, params = queryset.query.get_compiler(connection=connection).as_sql()
            self._statements[connection.vendor] = (queryset.model, sql, tuple(params))
        model, sql, params = self._statements[connection.vendor]
        given = list(values) if connection.vendor == "postgresql" else json.dumps(list(values))
        return model._base_manager.raw(sql, [given if p is OPEN else p for p in params])
