"""Keeps PostgreSQL's statistics of tables up to date, from which it plans queries."""

from __future__ import annotations

from django.db import connection


def update_planner_statistics() -> None:
    """Collect the statistics after many rows were written. Does nothing on SQLite.

    PostgreSQL does so by itself, but only some time later; until then it plans as if the tables
    were empty, and the queries of a resolution take ten times as long.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE (SKIP_LOCKED)")
