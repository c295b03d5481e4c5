"""Aggregates that each database spells in its own way."""

from __future__ import annotations

from typing import Any

from django.db.models import Aggregate, CharField
from django.db.models.sql.compiler import SQLCompiler


class Listed(Aggregate):
    """All values of a group in one text, with blanks between."""

    function = "GROUP_CONCAT"
    template = "%(function)s(%(expressions)s, ' ')"
    output_field = CharField()

    def as_postgresql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """PostgreSQL's name for it."""
        return super().as_sql(compiler, connection, function="STRING_AGG")
