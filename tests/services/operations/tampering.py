"""Changes stored rows without triggers, like an attacker with database access."""

from typing import Any

from django.db import connection

from registry.models import immutability


def tamper(statement: str, *parameters: Any) -> None:
    """Run a statement without triggers, and restore them afterwards."""
    connection.check_constraints()  # PostgreSQL cannot alter tables with deferred checks
    with connection.cursor() as cursor:
        for trigger in immutability.expected_triggers():
            drop(trigger)
        cursor.execute(statement, parameters)
        assert cursor.rowcount > 0, f"{statement} changes nothing"
    if connection.vendor == "postgresql":
        connection.check_constraints()
    immutability.install_triggers()


def drop(trigger: immutability.Trigger) -> None:
    where = f' ON "{trigger.table}"' if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TRIGGER "{trigger.name}"{where}')
