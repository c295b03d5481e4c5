"""PostgreSQL's ways around triggers: TRUNCATE, MERGE and the replication role."""

# ruff: noqa: S608 - the identifiers in statements are those of the models

import pytest
from django.db import connection

from registry.models import immutability, triggers
from registry.models.immutability import APPEND_ONLY
from tests.models.refusals import COLUMNS, PROTECTED, assert_refused, columns, execute, table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_table")]


@pytest.mark.parametrize("model", PROTECTED)
def test_no_table_can_be_truncated(model: str) -> None:
    assert_refused(f'TRUNCATE "{table(model)}" CASCADE')


@pytest.mark.parametrize("start", ["registry_user", "registry_namespace", "registry_tag"])
def test_truncating_a_referenced_table_is_rejected(start: str) -> None:
    assert_refused(f"TRUNCATE {start} CASCADE")


def test_truncating_all_tables_at_once_is_rejected() -> None:
    tables = ", ".join(connection.introspection.table_names())
    assert_refused(f"TRUNCATE {tables}")


@pytest.mark.parametrize(("model", "column"), COLUMNS)
def test_merge_is_rejected(model: str, column: str) -> None:
    key, name = columns(model)[0], table(model)
    assert_refused(
        f'MERGE INTO "{name}" AS old USING "{name}" AS new ON old."{key}" = new."{key}" '
        f'WHEN MATCHED THEN UPDATE SET "{column}" = new."{column}"'
    )


@pytest.mark.parametrize("model", APPEND_ONLY)
def test_the_replication_role_cannot_bypass_triggers(model: str) -> None:
    execute("SET LOCAL session_replication_role = replica")
    key = columns(model)[0]
    assert_refused(f'UPDATE "{table(model)}" SET "{key}" = "{key}"')
    assert_refused(f'DELETE FROM "{table(model)}"')
    assert_refused(f'TRUNCATE "{table(model)}" CASCADE')


@pytest.mark.parametrize("state", ["DISABLE TRIGGER", "ENABLE TRIGGER", "ENABLE REPLICA TRIGGER"])
def test_a_trigger_that_some_sessions_skip_counts_as_missing(state: str) -> None:
    trigger = next(immutability.expected_triggers())
    execute(f'ALTER TABLE "{trigger.table}" {state} "{trigger.name}"')
    assert triggers.missing() == [trigger.name]
