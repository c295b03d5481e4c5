"""SQL functions that Django lacks, for every database."""

from __future__ import annotations

from typing import Any

from django.db.models import Aggregate, CharField, Func
from django.db.models.sql.compiler import SQLCompiler


class Joined(Func):
    """Texts, none of which is NULL, joined with a separator.

    Django's `Concat` would pass every separator as a parameter, and replace NULL.
    """

    template = "(%(expressions)s)"
    output_field = CharField()

    def __init__(self, *texts: Any, separator: str) -> None:
        super().__init__(*texts, arg_joiner=f" || '{separator}' || ")


class ConcatenatedText(Aggregate):
    """Concatenate all values of a group, separated by spaces."""

    function = "GROUP_CONCAT"
    template = "%(function)s(%(expressions)s, ' ')"
    output_field = CharField()

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Compile with PostgreSQL's name of the function."""
        return super().as_sql(compiler, connection, function="STRING_AGG")
