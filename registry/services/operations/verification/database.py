"""The database itself: its file, its foreign keys, its triggers."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import IntegrityError, connection

from registry.services.operations import health
from registry.services.operations.verification.findings import Finding, Progress

MAX_DAMAGES = 20  # that SQLite's own check names


def findings(progress: Progress) -> Iterator[Finding]:
    """What keeps the server from being ready; on SQLite a damaged file, and dangling references.

    PostgreSQL has checksums for the one, and for the other constraints that nobody can set aside.
    """
    for problem in health.problems():
        expected = "all triggers, and all migrations applied"
        yield Finding(connection.display_name, "schema", problem, expected)
    if connection.vendor == "sqlite":
        yield from _damages()
        yield from _dangling()
    progress(1, 1)


def _damages() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA quick_check({MAX_DAMAGES})")
        for (sentence,) in cursor.fetchall():
            if sentence != "ok":
                yield Finding("SQLite", "file", sentence, "ok")


def _dangling() -> Iterator[Finding]:
    try:
        connection.check_constraints()
    except IntegrityError as error:
        yield Finding("SQLite", "foreign keys", str(error), "no row that refers to a missing one")
