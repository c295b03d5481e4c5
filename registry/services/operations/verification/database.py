"""Checks of the database itself: file, foreign keys, triggers, migrations."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import IntegrityError, connection

from registry.services.operations import health
from registry.services.operations.verification import Finding, Progress

MAX_ERRORS = 20  # that SQLite's own check reports


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield readiness problems; on SQLite also file damage and dangling references.

    PostgreSQL has checksums, and constraints that cannot be switched off.
    """
    for problem in health.problems(check_writes=False):
        expected = "all triggers, and all migrations applied"
        yield Finding(connection.display_name, "schema", problem, expected)
    if connection.vendor == "sqlite":
        yield from _file_errors()
        yield from _dangling_references()
    progress(1, 1)


def _file_errors() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA quick_check({MAX_ERRORS})")
        for (sentence,) in cursor.fetchall():
            if sentence != "ok":
                yield Finding("SQLite", "file", sentence, "ok")


def _dangling_references() -> Iterator[Finding]:
    try:
        connection.check_constraints()
    except IntegrityError as error:
        yield Finding("SQLite", "foreign keys", str(error), "no row that refers to a missing one")
