"""The revision of all answers, and the tags that each revision changed. Triggers keep both.

So no writer can forget them, and server processes keep an answer until one of the tags that it was
read from changes. The triggers watch the tables that `GET resolve` reads; its others get rows in
the same transactions. PostgreSQL notifies all server processes of each new number, at the commit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, models

# The key of the tag that a row of a trigger is about, by table.
OF_TAG, OF_VERSION = (
    "{row}.tag_id",
    "(SELECT tag_id FROM registry_version WHERE id = {row}.version_id)",
)
# Decision 069: kept answers are valid until one of their tags changes.
WATCHED = {
    "Tag": "{row}.id",
    "Version": OF_TAG,
    "VersionLeaf": OF_VERSION,
    "Name": OF_TAG,
    "Withdrawal": OF_VERSION,
    "Deprecation": OF_TAG,
    "LintReport": OF_VERSION,
}
ROWS = {"INSERT": ("NEW",), "UPDATE": ("NEW", "OLD"), "DELETE": ("OLD",)}
CHANNEL = "registry_revision"  # of PostgreSQL's notifications
KEPT = 2000  # revisions whose tags are known
MAX_TAGS = 100  # of a revision, whose tags are listed

ADVANCE = "UPDATE registry_answerrevision SET number = number + 1"
FORGET = f"DELETE FROM registry_answerchange WHERE number <= {{number}} - {KEPT}"  # noqa: S608 - a constant
SQLITE_NUMBER = "(SELECT number FROM registry_answerrevision)"
SQLITE_TAGS = "SELECT json_group_array(text) FROM registry_tag WHERE id IN ({keys})"
SQLITE_NOTE = "INSERT INTO registry_answerchange SELECT number, ({}) FROM registry_answerrevision"


class AnswerRevision(models.Model):
    """The only row of its table. A new database starts from the time, so no number occurs twice."""

    number = models.PositiveBigIntegerField(db_comment="increases with every change of an answer")

    def __str__(self) -> str:
        return str(self.number)


class AnswerChange(models.Model):
    """The tags whose answers one of the last revisions changed."""

    number = models.PositiveBigIntegerField(primary_key=True, db_comment="the revision")
    tags = models.TextField(
        db_comment="JSON: names of tags; an empty list: any tag may have changed"
    )

    def __str__(self) -> str:
        return f"{self.number}: {self.tags}"


@dataclass(frozen=True, slots=True)
class RevisionTrigger:
    """A trigger on one table. `tag` is the key of a row's tag."""

    name: str
    table: str
    operation: str
    tag: str

    def tags_of(self, row: str) -> str:
        """Return the key of the tag of a row, as SQL."""
        return self.tag.format(row=row)


def expected_triggers() -> Iterator[RevisionTrigger]:
    """Yield every trigger that this database must have."""
    operations = [*ROWS, *(["TRUNCATE"] if connection.vendor == "postgresql" else [])]
    for model, tag in WATCHED.items():
        table = apps.get_model("registry", model)._meta.db_table
        for operation in operations:
            yield RevisionTrigger(f"{table}_revision_{operation.lower()}", table, operation, tag)


def install_triggers() -> None:
    """Recreate the triggers on all existing tables, and the row that they update."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if AnswerChange._meta.db_table not in tables:
            return
        AnswerRevision.objects.get_or_create(pk=1, defaults={"number": time.time_ns() // 1000})
        statements = _postgresql if connection.vendor == "postgresql" else _sqlite
        for trigger in expected_triggers():
            if trigger.table in tables:
                for statement in statements(trigger):
                    cursor.execute(statement)


def _sqlite(trigger: RevisionTrigger) -> Iterator[str]:
    keys = ", ".join(map(trigger.tags_of, ROWS[trigger.operation]))
    note = SQLITE_NOTE.format(SQLITE_TAGS.format(keys=keys))
    forget = FORGET.format(number=SQLITE_NUMBER)
    yield f'DROP TRIGGER IF EXISTS "{trigger.name}"'
    event = f'AFTER {trigger.operation} ON "{trigger.table}"'
    yield f'CREATE TRIGGER "{trigger.name}" {event} BEGIN {ADVANCE}; {note}; {forget}; END'


def _postgresql(trigger: RevisionTrigger) -> Iterator[str]:
    """Yield the statements of a trigger that fires once for all rows of a statement."""
    names = {"NEW": "new_rows", "OLD": "old_rows"}
    rows = {row: names[row] for row in ROWS.get(trigger.operation, ())}
    tables = " ".join(f"{row} TABLE AS {name}" for row, name in rows.items())
    tags = " UNION ".join(
        f"SELECT DISTINCT {trigger.tags_of(name)} FROM {name}"  # noqa: S608 - constants
        for name in rows.values()
    )
    yield POSTGRESQL_FUNCTION.format(name=trigger.name, tags=tags or "SELECT -1")
    yield f'DROP TRIGGER IF EXISTS "{trigger.name}" ON "{trigger.table}"'
    yield (
        f'CREATE TRIGGER "{trigger.name}" AFTER {trigger.operation} ON "{trigger.table}" '
        f"{f'REFERENCING {tables} ' if tables else ''}"
        f'FOR EACH STATEMENT EXECUTE FUNCTION "{trigger.name}"()'
    )
    yield f'ALTER TABLE "{trigger.table}" ENABLE ALWAYS TRIGGER "{trigger.name}"'


# A statement that changes no row changes no answer. One on many tags may have changed any.
POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION "{{name}}"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    keys bigint[] := ARRAY({{tags}});
    revision bigint;
BEGIN
    IF cardinality(keys) > 0 THEN
        {ADVANCE} RETURNING number INTO revision;
        IF cardinality(keys) > {MAX_TAGS} THEN
            keys := NULL;
        END IF;
        INSERT INTO registry_answerchange (number, tags)
        SELECT revision, coalesce(json_agg(text), '[]') FROM registry_tag WHERE id = ANY(keys);
        {FORGET.format(number="revision")};
        PERFORM pg_notify('{CHANNEL}', revision::text);
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608 - constants
