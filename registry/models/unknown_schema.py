"""Detect a database with the tables of another release of the registry."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

APP = "registry"


def schema_difference(loader: MigrationLoader) -> str | None:
    """Return a difference between the database and this release's migrations, or None.

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
