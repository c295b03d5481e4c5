"""All triggers: those that protect published rows, and those that advance the revision.

They are installed after every migrate, because rebuilding a table drops them; `/readyz` fails if
one is missing. SQLite rebuilds no table that triggers of others name, so there they are removed
before.
"""

from __future__ import annotations

from django.db import connection

from registry.models import immutability, revision_triggers


def install() -> None:
    """Recreate the triggers on all existing tables."""
    immutability.install_triggers()
    revision_triggers.install_triggers()


def remove() -> None:
    """Drop all triggers of SQLite; those of PostgreSQL stay."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for name in _installed():
                cursor.execute(f'DROP TRIGGER "{name}"')


def missing() -> list[str]:
    """Return the names of triggers that do not exist or are disabled."""
    expected = {trigger.name for trigger in immutability.expected_triggers()}
    expected |= {trigger.name for trigger in revision_triggers.expected_triggers()}
    return sorted(expected.difference(_installed()))


def _installed() -> list[str]:
    query = (
        "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'A'"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [name for (name,) in cursor.fetchall()]
