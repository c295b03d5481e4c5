"""The database rejects every change of published rows."""

# ruff: noqa: S608 - the identifiers in statements are those of the models

from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from registry.models import Kind, Name, Tag, Version, immutability, triggers
from registry.models.immutability import APPEND_ONLY
from tests.models.refusals import (
    COLUMNS,
    PROTECTED,
    assert_refused,
    columns,
    execute,
    first_key,
    model_of,
    table,
)
from tests.models.rows import own_models

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_table")]


@pytest.mark.parametrize(("model", "column"), COLUMNS)
def test_no_column_can_be_updated_even_to_its_own_value(model: str, column: str) -> None:
    assert_refused(f'UPDATE "{table(model)}" SET "{column}" = "{column}"')


@pytest.mark.parametrize("model", PROTECTED)
def test_no_row_can_be_deleted(model: str) -> None:
    key = columns(model)[0]
    assert_refused(f'DELETE FROM "{table(model)}"')
    assert_refused(f'DELETE FROM "{table(model)}" WHERE "{key}" = %s', first_key(model))


@pytest.mark.parametrize(("model", "column"), COLUMNS)
def test_insert_on_conflict_cannot_update(model: str, column: str) -> None:
    names = ", ".join(f'"{name}"' for name in columns(model))
    key = columns(model)[0]
    assert_refused(
        f'INSERT INTO "{table(model)}" ({names}) SELECT {names} FROM "{table(model)}" '
        f'WHERE "{key}" = %s ON CONFLICT ("{key}") DO UPDATE SET "{column}" = excluded."{column}"',
        first_key(model),
    )


@pytest.mark.parametrize("model", APPEND_ONLY)
def test_updates_and_deletes_of_models_are_rejected(model: str) -> None:
    manager = model_of(model)._base_manager
    row = manager.order_by("pk")[0]
    field = next(f.attname for f in row._meta.local_concrete_fields if not f.primary_key)
    attempts: list[Any] = [
        row.save,
        row.delete,  # rejected by a protecting foreign key or by the trigger
        lambda: row.save(update_fields=[field]),
        lambda: manager.filter(pk=row.pk).update(**{field: getattr(row, field)}),
        lambda: manager.bulk_update([row], [field]),
        lambda: manager.filter(pk=row.pk).delete(),
        lambda: manager.filter(pk=row.pk)._raw_delete("default"),
    ]
    for attempt in attempts:
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt()
    assert manager.get(pk=row.pk) == row


def test_upsert_of_a_version_is_rejected() -> None:
    version = Version.objects.order_by("pk")[0]
    with pytest.raises(IntegrityError, match="cannot be changed"), transaction.atomic():
        Version.objects.bulk_create(
            [version],
            update_conflicts=True,
            unique_fields=["tag", "major", "minor", "patch"],
            update_fields=["message"],
        )


@pytest.mark.parametrize(
    "column", ["text", "tag_id", "namespace_id", "folded", "is_alias", "major"]
)
def test_a_tags_own_name_cannot_change(column: str) -> None:
    assert_refused(f'UPDATE registry_name SET "{column}" = "{column}" WHERE NOT is_alias')


def test_an_alias_can_point_elsewhere_but_not_change_its_spelling() -> None:
    alias, other = Name.objects.filter(is_alias=True)[0], Tag.objects.order_by("-pk")[0]
    Name.objects.filter(pk=alias.pk).update(tag=other, major=1)
    assert Name.objects.get(pk=alias.pk).tag == other
    assert_refused("UPDATE registry_name SET text = 'acme/other' WHERE id = %s", alias.pk)
    assert_refused("DELETE FROM registry_name WHERE id = %s", alias.pk)


def test_an_alias_cannot_become_a_tags_own_name() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Name.objects.filter(is_alias=True).update(is_alias=False)


def test_tags_and_kinds_cannot_be_renamed() -> None:
    tag, kind = Tag.objects.order_by("pk")[0], Kind.objects.order_by("pk")[0]
    assert_refused("UPDATE registry_tag SET text = 'acme/other' WHERE id = %s", tag.pk)
    assert_refused("UPDATE registry_kind SET name = 'other' WHERE id = %s", kind.pk)


def drop(trigger: immutability.Trigger) -> None:
    where = f' ON "{trigger.table}"' if connection.vendor == "postgresql" else ""
    execute(f'DROP TRIGGER "{trigger.name}"{where}')


def test_missing_triggers_are_named() -> None:
    assert triggers.missing() == []
    for trigger in immutability.expected_triggers():
        drop(trigger)
    assert triggers.missing() == sorted(t.name for t in immutability.expected_triggers())


def test_a_server_without_a_trigger_is_not_ready(client: Client) -> None:
    assert client.get("/readyz").status_code == 200
    drop(next(immutability.expected_triggers()))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["problems"] == ["the trigger registry_version_no_update is missing"]


def test_migrating_reinstalls_the_triggers() -> None:
    for trigger in immutability.expected_triggers():
        drop(trigger)
    call_command("migrate", verbosity=0)
    assert triggers.missing() == []
    assert_refused("DELETE FROM registry_event")


MUTABLE = {"User", "Namespace", "Membership", "Token", "SavedDraft", "Session", "PendingChange"}
MUTABLE |= {"TrustedPublisher", "UsedIdentity", "OutgoingMail", "Duty", "LogCursor", "Watch"}
MUTABLE |= {"Notice", "NoticeMail", "MailChoice", "NewsFeed", "Webhook", "WebhookDelivery"}
MUTABLE |= {"RecoveryKey", "AccountReset"}
DERIVED = {
    "AnswerChange",
    "AnswerRevision",
    "Entry",
    "Attribute",
    "Posting",
    "Term",
    "TermGram",
    "LintReport",
}
COUNTED = {"DailyUsage", "RecentUsage"}
DERIVED |= {"Total", "ValueTotal", "GroupTotal"}


def test_every_other_table_is_protected() -> None:
    models = {model.__name__ for model in own_models()}
    assert models - MUTABLE - DERIVED - COUNTED == {*PROTECTED}
    assert not (MUTABLE | DERIVED | COUNTED) & {*PROTECTED}
