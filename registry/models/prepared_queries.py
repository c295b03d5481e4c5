"""Queries whose SQL is built once per process, for lookups that every request needs.

Django builds the SQL of a queryset for each use, which takes milliseconds; the databases answer
these queries in a tenth of a millisecond.
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

PLACEHOLDER: Final = object()  # in a statement's parameters, for the values of a call


@models.ForeignKey.register_lookup
@models.Field.register_lookup
class Among(Lookup):
    """The lookup `column__among=PLACEHOLDER`: equal to one of a call's values, one parameter."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Compile the lookup, with the placeholder that `PreparedQuery` replaces."""
        column, params = self.process_lhs(compiler, connection)
        postgresql = connection.vendor == "postgresql"
        values = "ANY(%s)" if postgresql else "(SELECT value FROM json_each(%s))"
        return f"{column} {'=' if postgresql else 'IN'} {values}", [*params, self.rhs]


class PreparedQuery(Generic[M]):
    """A prepared queryset that is called with the values of its `Among` lookup, if it has one.

    The instances have the queryset's columns and annotations; it cannot use `select_related`.
    """

    def __init__(self, build: Callable[[], models.QuerySet[Any]]) -> None:
        self._build = build
        self._statements: dict[str, tuple[type[M], str, tuple[Any, ...]]] = {}  # by database

    def __call__(self, values: Collection[str] | Collection[int] = ()) -> RawQuerySet[M]:
        """Return the rows for some values. The query runs when they are iterated."""
        if connection.vendor not in self._statements:
            queryset = self._build()
            sql, params = queryset.query.get_compiler(connection=connection).as_sql()
            self._statements[connection.vendor] = (queryset.model, sql, tuple(params))
        model, sql, params = self._statements[connection.vendor]
        parameter = list(values) if connection.vendor == "postgresql" else json.dumps(list(values))
        return model._base_manager.raw(sql, [parameter if p is PLACEHOLDER else p for p in params])
