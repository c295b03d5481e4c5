"""A database of another release is rejected before anything changes."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

pytestmark = pytest.mark.django_db


def record_foreign_migration() -> None:
    MigrationRecorder(connection).record_applied("registry", "0002_dependency_name")


def drop_table() -> None:
    """Drop a table, as if the first migration were from before the first release."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE registry_saveddraft")


def forget_migrations() -> None:
    MigrationRecorder(connection).flush()


FOREIGN = pytest.mark.parametrize(
    ("change", "difference"),
    [
        (record_foreign_migration, "the migration 0002_dependency_name is unknown"),
        (drop_table, "the table registry_saveddraft is missing"),
        (forget_migrations, "the table registry_ancestry exists before any migration"),
    ],
)


@FOREIGN
def test_migrate_rejects_a_database_of_another_release(
    change: Callable[[], None], difference: str
) -> None:
    change()
    with pytest.raises(CommandError) as refused:
        call_command("migrate", verbosity=0)
    assert str(refused.value) == (
        f"Another release created this database ({difference}): run that release, or start "
        "with an empty database."
    )


@FOREIGN
def test_a_server_on_a_database_of_another_release_is_not_ready(
    change: Callable[[], None], difference: str, client: Client
) -> None:
    change()
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["problems"] == [f"another release created this database: {difference}"]
