"""Readiness checks of this server."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from registry.models import immutability, unknown_schema


def problems() -> list[str]:
    """Return the reasons why the server is not ready; an empty list if it is."""
    try:
        executor = MigrationExecutor(connection)
        if difference := unknown_schema.schema_difference(executor.loader):
            return [f"another release created this database: {difference}"]
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return ["migrations are not applied"]
        missing = immutability.missing_triggers()
    except DatabaseError:
        return ["the database does not respond"]
    return [f"the trigger {name} is missing" for name in missing]
