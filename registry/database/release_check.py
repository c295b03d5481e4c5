"""Whether the tables of the database are those of this release."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.db import connection
from django.db.backends.signals import connection_created
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

APP = "registry"
NOT_MIGRATED = "migrations are not applied"
UNMIGRATED = "Migrations of this release are not applied: run manage.py migrate."

_needs_migrations: bool | None = None  # of the command of this process; None: nobody has said so


def problem() -> str | None:
    """Return why the tables are not those of this release; None if they are."""
    executor = MigrationExecutor(connection)
    if difference := _difference(executor.loader):
        return (
            f"another release created this database ({difference}): run that release, or start "
            "with an empty database"
        )
    return NOT_MIGRATED if executor.migration_plan(executor.loader.graph.leaf_nodes()) else None


def _difference(loader: MigrationLoader) -> str | None:
    """Return a difference between the database and the migrations up to the last applied one.

    Later releases apply migrations that this one does not have. So did versions before the first
    release; the earliest had fewer tables under the first migration's name.
    """
    applied = {name for app, name in loader.applied_migrations or () if app == APP}
    shipped = {name for app, name in loader.disk_migrations or () if app == APP}
    if unknown := sorted(applied - shipped):
        return f"the migration {unknown[0]} is unknown"
    tables = set(connection.introspection.table_names())
    expected = _tables(loader.project_state([(APP, name) for name in sorted(applied)]))
    if missing := sorted(expected - tables):
        return f"the table {missing[0]} is missing"
    if not applied and (existing := sorted(_tables(loader.project_state()) & tables)):
        return f"the table {existing[0]} exists before any migration"
    return None


def _tables(state: ProjectState) -> set[str]:
    return {
        model.options.get("db_table", f"{app}_{name}")
        for (app, name), model in state.models.items()
        if app == APP
    }


def refuse_other_release(*, needs_migrations: bool = False) -> None:
    """Raise `CommandError` if another release created the database, or migrations are needed."""
    reason = problem()
    if reason == NOT_MIGRATED:
        if needs_migrations:
            raise CommandError(UNMIGRATED)
    elif reason:
        raise CommandError(f"{reason[0].upper()}{reason[1:]}.")


def set_needs_migrations(*, value: bool) -> None:
    """Say whether the first connection is to refuse a database without the newest migrations, too.

    The command that is named says so, not those that it calls.
    """
    global _needs_migrations  # noqa: PLW0603 - one command per process
    if _needs_migrations is None:
        _needs_migrations = value


# Decision 118: on connection, so that every command is covered.
def check_first_connection(**_: Any) -> None:
    """Refuse another release's database when a command connects to it, ahead of any transaction.

    Also one that is not migrated, whose triggers and rows may be those of an older release, if the
    command is to work on rows.
    """
    connection_created.disconnect(check_first_connection)
    refuse_other_release(needs_migrations=bool(_needs_migrations))
