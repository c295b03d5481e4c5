"""Triggers that keep published rows from being changed, by any client.

`registry.models.triggers` installs them. On SQLite, `INSERT OR REPLACE` deletes the old row first:
the setting `recursive_triggers` makes that deletion fire them too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db import connection

from registry.domain import proposal_states
from registry.models.namespace_requests import NamespaceRequest, RequestState

APPEND_ONLY = (
    "Version",
    "VersionKind",
    "Dependency",
    "Ancestry",
    "KindRevision",
    "Withdrawal",
    "Deprecation",
    "Event",
    "LogRange",
    "LogTile",
    "LogKey",
    "LogFork",
    "VersionLeaf",
    "ProposalRevision",
    "Turn",
    "RequestComment",
    "Readme",
)
NEVER_DELETED = ("Tag", "Name", "Kind", "Proposal", "NamespaceRequest")
FUNCTION = "registry_refuse_change"


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger on one table."""

    name: str
    table: str
    operation: str
    condition: str = ""

    @property
    def message(self) -> str:
        """The database's error message when the trigger fires."""
        return f"{self.table}: published rows cannot be changed ({self.operation})"


def expected_triggers() -> Iterator[Trigger]:
    """Yield every trigger that this database must have."""
    operations = ["UPDATE", "DELETE"]
    if connection.vendor == "postgresql":
        operations.append("TRUNCATE")
    for model in APPEND_ONLY:
        for operation in operations:
            yield _trigger(model, operation)
    for model in NEVER_DELETED:
        for operation in operations[1:]:
            yield _trigger(model, operation)
    yield _trigger("Name", "UPDATE", "NOT OLD.is_alias OR OLD.text <> NEW.text")
    yield _trigger("Tag", "UPDATE", "OLD.text <> NEW.text")
    yield _trigger("Kind", "UPDATE", "OLD.name <> NEW.name")
    yield _trigger("Proposal", "UPDATE", _invalid_proposal_update())
    yield _trigger("NamespaceRequest", "UPDATE", _invalid_request_update())


def _invalid_proposal_update() -> str:
    """Return the condition for updates that skip a step, go back or change fixed columns."""
    step = " OR ".join(
        f"(OLD.state = '{old}' AND NEW.state = '{new}')"
        for old, new in sorted(proposal_states.ALLOWED_STEPS)
    )
    fixed = ("tag", "namespace_id", "submitter_id", "created", "version_id")  # null may be set
    changed = " OR ".join(f"OLD.{column} <> NEW.{column}" for column in fixed)
    decided = ", ".join(f"'{state}'" for state in sorted(proposal_states.DECIDED))
    return (
        f"(OLD.state <> NEW.state AND NOT ({step})) OR {changed} OR NEW.revision < OLD.revision "
        f"OR (OLD.state IN ({decided}) AND NEW.revision <> OLD.revision)"
    )


def _invalid_request_update() -> str:
    """Return the condition for updates of a decided request, or of more than the decision."""
    decision = ("state", "decision", "decider_id", "decided")
    columns = [field.column for field in NamespaceRequest._meta.local_concrete_fields]
    changed = " OR ".join(
        f"OLD.{column} <> NEW.{column}" for column in columns if column not in decision
    )
    return f"OLD.state <> '{RequestState.OPEN}' OR NEW.state = '{RequestState.OPEN}' OR {changed}"


def _trigger(model: str, operation: str, condition: str = "") -> Trigger:
    table = apps.get_model("registry", model)._meta.db_table
    return Trigger(f"{table}_no_{operation.lower()}", table, operation, condition)


def install_triggers() -> None:
    """Recreate the triggers on all existing tables."""
    statements = _postgresql if connection.vendor == "postgresql" else _sqlite
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = '23001'; END $$"
            )
        tables = connection.introspection.table_names(cursor)
        for trigger in expected_triggers():
            if trigger.table in tables:
                for statement in statements(trigger):
                    cursor.execute(statement)


def _sqlite(trigger: Trigger) -> Iterator[str]:
    when = f"WHEN {trigger.condition} " if trigger.condition else ""
    yield f'DROP TRIGGER IF EXISTS "{trigger.name}"'
    yield (
        f'CREATE TRIGGER "{trigger.name}" BEFORE {trigger.operation} ON "{trigger.table}" {when}'
        f"BEGIN SELECT RAISE(ABORT, '{trigger.message}'); END"
    )


def _postgresql(trigger: Trigger) -> Iterator[str]:
    level = "STATEMENT" if trigger.operation == "TRUNCATE" else "ROW"
    when = f"WHEN ({trigger.condition}) " if trigger.condition else ""
    yield f'DROP TRIGGER IF EXISTS "{trigger.name}" ON "{trigger.table}"'
    yield (
        f'CREATE TRIGGER "{trigger.name}" BEFORE {trigger.operation} ON "{trigger.table}" '
        f"FOR EACH {level} {when}EXECUTE FUNCTION {FUNCTION}('{trigger.message}')"
    )
    yield f'ALTER TABLE "{trigger.table}" ENABLE ALWAYS TRIGGER "{trigger.name}"'
