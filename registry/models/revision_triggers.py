"""The revision of all answers, a number that triggers advance with every write that changes one.

So no writer can forget it, and server processes keep answers for as long as it stays the same. The
triggers watch the tables that `GET resolve` reads; its others get rows in the same transactions.
PostgreSQL notifies all server processes of each new number, at the commit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, models

# Decision 069: kept answers are valid until the revision changes.
WATCHED = ("Version", "VersionLeaf", "Name", "Withdrawal", "Deprecation", "LintReport")
OPERATIONS = ("INSERT", "UPDATE", "DELETE")
FUNCTION = "registry_advance_revision"
CHANNEL = "registry_revision"  # of PostgreSQL's notifications
ADVANCE = "UPDATE registry_answerrevision SET number = number + 1"
POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE revision bigint;
BEGIN
    {ADVANCE} RETURNING number INTO revision;
    PERFORM pg_notify('{CHANNEL}', revision::text);
    RETURN NULL;
END $$
"""


class AnswerRevision(models.Model):
    """The only row of its table. A new database starts from the time, so no number occurs twice."""

    number = models.PositiveBigIntegerField(db_comment="increases with every change of an answer")

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class RevisionTrigger:
    """A trigger on one table; on PostgreSQL one for all operations."""

    name: str
    table: str
    operations: tuple[str, ...]


def expected_triggers() -> Iterator[RevisionTrigger]:
    """Yield every trigger that this database must have."""
    for model in WATCHED:
        table = apps.get_model("registry", model)._meta.db_table
        if connection.vendor == "postgresql":
            yield RevisionTrigger(f"{table}_revision", table, (*OPERATIONS, "TRUNCATE"))
        else:
            for operation in OPERATIONS:
                yield RevisionTrigger(f"{table}_revision_{operation.lower()}", table, (operation,))


def install_triggers() -> None:
    """Recreate the triggers on all existing tables, and the row that they update."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if AnswerRevision._meta.db_table not in tables:
            return
        AnswerRevision.objects.get_or_create(pk=1, defaults={"number": time.time_ns() // 1000})
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        statements = _postgresql if connection.vendor == "postgresql" else _sqlite
        for trigger in expected_triggers():
            if trigger.table in tables:
                for statement in statements(trigger):
                    cursor.execute(statement)


def _sqlite(trigger: RevisionTrigger) -> Iterator[str]:
    (operation,) = trigger.operations
    yield f'DROP TRIGGER IF EXISTS "{trigger.name}"'
    event = f'AFTER {operation} ON "{trigger.table}"'
    yield f'CREATE TRIGGER "{trigger.name}" {event} BEGIN {ADVANCE}; END'


def _postgresql(trigger: RevisionTrigger) -> Iterator[str]:
    yield f'DROP TRIGGER IF EXISTS "{trigger.name}" ON "{trigger.table}"'
    yield (
        f'CREATE TRIGGER "{trigger.name}" AFTER {" OR ".join(trigger.operations)} '
        f'ON "{trigger.table}" FOR EACH STATEMENT EXECUTE FUNCTION {FUNCTION}()'
    )
    yield f'ALTER TABLE "{trigger.table}" ENABLE ALWAYS TRIGGER "{trigger.name}"'
