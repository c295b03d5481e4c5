"""SQL aggregates whose name differs between databases."""

from __future__ import annotations

from typing import Any

from django.db.models import Aggregate, CharField
from django.db.models.sql.compiler import SQLCompiler


class ConcatenatedText(Aggregate):
    """Concatenate all values of a group, separated by spaces."""

    function = "GROUP_CONCAT"
    template = "%(function)s(%(expressions)s, ' ')"
    output_field = CharField()

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """Compile with PostgreSQL's name of the function."""
        return super().as_sql(compiler, connection, function="STRING_AGG")
