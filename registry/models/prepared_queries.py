"""Queries whose SQL is built once per process, for lookups that every request needs.

Django builds the SQL of a queryset for each use, which takes milliseconds; the databases answer
these queries in a tenth of a millisecond.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import Lookup
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=models.Model)

PLACEHOLDER: Final = object()  # in a statement's parameters, for the values of a call


def among(vendor: str) -> str:
    """Return the condition, behind a column, that it has one of the values of `one_parameter`."""
    return "= ANY(%s)" if vendor == "postgresql" else "IN (SELECT value FROM json_each(%s))"


def one_parameter(values: Collection[str] | Collection[int], vendor: str) -> Any:
    """Return any number of values as a single parameter of a statement."""
    return list(values) if vendor == "postgresql" else json.dumps(list(values))


@models.ForeignKey.register_lookup
@models.Field.register_lookup
class Among(Lookup):
    """The lookup `column__among=PLACEHOLDER`: equal to one of a call's values, one parameter."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Compile the lookup, with the placeholder that `PreparedQuery` replaces."""
        column, params = self.process_lhs(compiler, connection)
        return f"{column} {among(connection.vendor)}", [*params, self.rhs]


@models.ForeignKey.register_lookup
@models.Field.register_lookup
class AmongRows(Lookup):
    """The lookup `column__among_rows=rows`: equal to a value of these, which are read first.

    For up to thousands of rows of an indexed column. Like `in`, but PostgreSQL then looks up each
    value, where by its estimates it may read the whole table (decision 192).
    """

    lookup_name = "among_rows"

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Compile the lookup, with the subquery."""
        column, params = self.process_lhs(compiler, connection)
        rows, row_params = self.process_rhs(compiler, connection)
        condition = f"= ANY(ARRAY{rows})" if connection.vendor == "postgresql" else f"IN {rows}"
        return f"{column} {condition}", [*params, *row_params]


# Decision 190: planning an insertion takes as long as running it.
def cursor_of(database: Any) -> Any:
    """Return a cursor for statements that are the same each time, which PostgreSQL plans once."""
    return database.prepared_cursor() if database.vendor == "postgresql" else database.cursor()


@dataclass(frozen=True, slots=True)
class Statement(Generic[M]):
    """The SQL of a queryset, and how its rows become instances."""

    model: type[M]
    sql: str
    params: Mapping[str, Any]
    columns: frozenset[str]  # the first of a row, in the order of the model's fields
    annotations: Sequence[str]  # those of the others
    convert: Callable[[list[Any]], Iterable[Sequence[Any]]]

    # Decision 117: uses undocumented names, listed in `tests/test_private_names.py`.
    @classmethod
    def compile(cls, queryset: models.QuerySet[M]) -> Statement[M]:
        """Return the statement of a queryset for the current database.

        Parameters have names: with positions, Django would rewrite the SQL on every execution.
        """
        compiler = queryset.query.get_compiler(connection=connection)
        text, params = compiler.as_sql()
        named = {f"p{position}": param for position, param in enumerate(params)}
        sql = text.replace("%%", "%%%%") % tuple(f"%({name})s" for name in named)
        select, info = compiler.select or [], compiler.klass_info or {}
        fields = [select[position][0] for position in info["select_fields"]]
        converters = compiler.get_converters([expression for expression, *_ in select])
        return cls(
            queryset.model,
            sql,
            named,
            frozenset(column.target.attname for column in fields),
            list(compiler.annotation_col_map or {}),
            partial(compiler.apply_converters, converters=converters),
        )

    def execute(self, database: Any, values: Any) -> list[M]:
        """Return the instances of the rows for the value of the placeholder."""
        params = {name: values if p is PLACEHOLDER else p for name, p in self.params.items()}
        with cursor_of(database) as cursor:
            cursor.execute(self.sql, params)
            rows = cursor.fetchall()
        instances, count = [], len(self.columns)
        for row in self.convert(rows):
            instance = self.model.from_db(database.alias, self.columns, row[:count])
            vars(instance).update(zip(self.annotations, row[count:], strict=True))
            instances.append(instance)
        return instances


@models.IntegerField.register_lookup
class Within(Lookup):
    """The lookup `column__within=PLACEHOLDER`: above a call's first value, up to its second."""

    lookup_name = "within"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Compile the lookup, with the placeholder that `PreparedQuery` replaces."""
        column, params = self.process_lhs(compiler, connection)
        first, second = "json_extract(%s, '$[0]')", "json_extract(%s, '$[1]')"
        if connection.vendor == "postgresql":
            first, second = "(%s::bigint[])[1]", "(%s::bigint[])[2]"
        sql = f"({column} > {first} AND {column} <= {second})"
        return sql, [*params, self.rhs, *params, self.rhs]


# Decision 015: building the SQL takes longer than running it.
class PreparedQuery(Generic[M]):
    """A prepared queryset that is called with the values of its lookup with `PLACEHOLDER`, if any.

    The instances have the queryset's columns and annotations; it cannot use `select_related`.
    """

    def __init__(self, build: Callable[[], models.QuerySet[Any]]) -> None:
        self._build = build
        self._statements: dict[str, Statement[M]] = {}  # by database

    def __call__(self, values: Collection[str] | Collection[int] = ()) -> list[M]:
        database = connections[DEFAULT_DB_ALIAS]  # `connection` looks it up for each attribute
        vendor = database.vendor
        if vendor not in self._statements:
            self._statements[vendor] = Statement.compile(self._build())
        return self._statements[vendor].execute(database, one_parameter(values, vendor))
