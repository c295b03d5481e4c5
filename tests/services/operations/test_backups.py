"""Backups, and archives that cannot be restored."""

import gzip
import json
import os
import sqlite3
import stat
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from registry.domain.errors import Code, Refused
from registry.models import OutgoingMail, Tag, User, Version
from registry.services.catalogue import coverage
from registry.services.operations import backups, restore
from registry.services.operations.archive import Archive, write_archive
from registry.services.outbox import queueing
from tests import database_faults
from tests.publishing import chain
from tests.services.operations.tampering import tamper

TABLES_WITHOUT_A_MODEL = {"django_migrations", "registry_cache"}  # written by Django itself


def test_every_model_is_backed_up_derived_or_ephemeral() -> None:
    labels = [*backups.BACKED_UP, *backups.DERIVED, *backups.EPHEMERAL]
    assert sorted(labels) == sorted(model._meta.label for model in apps.get_models())


def test_backed_up_rows_refer_to_backed_up_rows_only() -> None:
    models = {apps.get_model(label) for label in backups.BACKED_UP}
    for model in models:
        related = {field.related_model for field in model._meta.concrete_fields}
        assert related - {None} <= models, model


@pytest.mark.django_db
def test_every_table_has_a_model_or_is_ephemeral() -> None:
    models = apps.get_models(include_auto_created=True)
    model_tables = {model._meta.db_table for model in models}
    assert {*connection.introspection.table_names()} == model_tables | TABLES_WITHOUT_A_MODEL


def test_rows_come_after_those_that_they_refer_to() -> None:
    models = backups.archived_models()
    assert {model._meta.label for model in models} == set(backups.BACKED_UP)
    for index, model in enumerate(models):
        related = {field.related_model for field in model._meta.concrete_fields}
        assert not related & set(models[index + 1 :]), model


@pytest.mark.django_db
@pytest.mark.usefixtures("acme")
def test_backup_contains_every_row(tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    count = backups.back_up_to(path)
    rows = list(Archive(path).rows())
    assert len(rows) == count > Version.objects.count() + Tag.objects.count()
    (alice,) = [row for row in rows if row["fields"].get("username") == "alice"]
    assert alice["pk"] == User.objects.get(username="alice").pk


@pytest.mark.django_db
def test_backup_names_the_sources_of_the_facts(tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    backups.back_up_to(path)
    with gzip.open(path) as lines:
        assert json.loads(next(lines))["notices"] == coverage.notices()
    licences = {licence for notice in coverage.notices() for licence in notice["licences"]}
    assert {"ODC-By-1.0: attribute BuildCores OpenDB", "CC-BY-SA-4.0"} <= licences


@pytest.mark.django_db
def test_backup_holds_no_mail_that_waits(tmp_path: Path) -> None:
    link = "https://registry.example.org/accounts/password/reset/key/1-abcdef/"
    queueing.queue("password_reset_key", EmailMessage("Reset", link, to=["bob@example.org"]))
    path = tmp_path / "backup.gz"
    backups.back_up_to(path)
    content = OutgoingMail.objects.get().content
    text = gzip.decompress(path.read_bytes()).decode()
    for secret in (link, "bob@example.org", content, "outgoingmail"):
        assert secret not in text


def test_old_backups_are_deleted_and_other_files_kept(tmp_path: Path) -> None:
    names = [f"2026-11-{day:02}.gz" for day in range(1, 6)]
    partial, running = ".2026-11-01.gz.abcd_123", ".2026-11-05.gz.defg4567"
    for name in (*names, "before.gz", partial, running):
        (tmp_path / name).touch()
    os.utime(tmp_path / partial, (0, 0))
    assert backups.delete_old(tmp_path, keep=2) == 3
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*names[3:], "before.gz", running}
    assert backups.delete_old(tmp_path, keep=2) == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_depend_on_rows() -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            backups.back_up(BytesIO())
        return len([query for query in captured if "SELECT" in query["sql"]])

    few = queries()
    chain(8)
    assert queries() == few


@pytest.mark.django_db
def test_backup_is_private_and_replaces_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    path.write_text("an older backup")
    backups.back_up_to(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Archive(path).header.total
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.django_db
def test_failed_backup_keeps_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    path.write_text("an older backup")

    def interrupt(_step: str, _done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backups.back_up_to(path, interrupt)
    assert path.read_text() == "an older backup"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.django_db
def test_backup_deletes_what_killed_ones_of_its_name_have_left(tmp_path: Path) -> None:
    old, running, other = ".a[1].gz.abcd_123", ".a[1].gz.defg4567", ".a1.gz.abcd_123"
    for name in (old, running, other, ".a[1].gz.lock"):
        (tmp_path / name).touch()
    for name in (old, other, ".a[1].gz.lock"):
        os.utime(tmp_path / name, (0, 0))
    backups.back_up_to(tmp_path / "a[1].gz")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"a[1].gz", running, other, ".a[1].gz.lock"}


@pytest.mark.django_db
def test_unwritable_backup_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"no-folder/backup.gz cannot be written: No such file"):
        backups.back_up_to(tmp_path / "no-folder" / "backup.gz")
    with pytest.raises(Refused, match="cannot be written"):
        backups.back_up_to(tmp_path)


@pytest.mark.django_db
def test_command_reports_the_number_of_rows(tmp_path: Path) -> None:
    err = StringIO()
    call_command("backup", str(tmp_path / "backup.gz"), stderr=err)
    total = Archive(tmp_path / "backup.gz").header.total
    assert err.getvalue() == f"Backed up {total} rows.\n"


@pytest.mark.django_db
def test_command_keeps_the_newest_backups(tmp_path: Path) -> None:
    for name in ("2026-11-01.gz", "2026-11-02.gz"):
        (tmp_path / name).touch()
    call_command("backup", str(tmp_path / "2026-11-03.gz"), keep=2, stderr=StringIO())
    assert {path.name for path in tmp_path.iterdir()} == {"2026-11-02.gz", "2026-11-03.gz"}
    with pytest.raises(CommandError, match="at least 1"):
        call_command("backup", str(tmp_path / "2026-11-04.gz"), keep=0)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.fixture
def backup(tmp_path: Path, db: None) -> Path:
    path = tmp_path / "backup.gz"
    backups.back_up_to(path)
    return path


def test_restore_needs_an_empty_registry(backup: Path) -> None:
    with pytest.raises(Refused, match=r"not empty \(.*registry.version \d+.*\)") as refused:
        restore.restore(backup)
    assert refused.value.code == Code.CONFLICT
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", str(backup))


def rewrite_header(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the header of an archive."""
    first, *rest = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    header = json.loads(first)
    change(header)
    path.write_bytes(gzip.compress(b"".join([json.dumps(header).encode() + b"\n", *rest])))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda header: header["migrations"]["registry"].append("0099_later"),
            "created with the migration registry 0099_later, which this registry has not",
        ),
        (
            lambda header: header["migrations"]["registry"].remove("0001_initial"),
            "created without the migration registry 0001_initial, which this registry has applied",
        ),
        (lambda header: header["migrations"].update(shop=["0001"]), "migration shop 0001"),
        (
            lambda header: header["counts"].update({"auth.permission": 4}),
            "contains auth.permission, which is not part of backups",
        ),
    ],
)
def test_other_migrations_are_rejected_before_rows_are_read(
    backup: Path, change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    rewrite_header(backup, change)
    with pytest.raises(Refused, match=reason) as refused:
        restore.restore(backup)
    assert refused.value.code == Code.REQUEST_INVALID


def test_damaged_file_is_rejected_first(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-40])
    with pytest.raises(Refused, match="is truncated"):
        restore.restore(backup)


def rewrite_rows(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change each row of an archive, and state the hash of what it has then."""
    archive = Archive(path)
    changed = list(archive.rows())
    for row in changed:
        change(row)
    with path.open("wb") as file:
        write_archive(file, archive.header, changed)


def test_row_that_is_not_of_this_release_is_rejected_before_any_is_written(backup: Path) -> None:
    rewrite_rows(backup, lambda row: row["fields"].pop("is_staff", None))
    with pytest.raises(Refused, match=r"registry.user \d+ lacks the member is_staff") as refused:
        restore.restore(backup)
    assert refused.value.code == Code.REQUEST_INVALID


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (IntegrityError("CHECK failed\nDETAIL: x"), Code.CONFLICT, "here: CHECK failed. Nothing"),
        (DeserializationError("no such group"), Code.CONFLICT, "here: no such group. Nothing"),
        (KeyError("no such action"), Code.CONFLICT, "here: 'no such action'. Nothing was written"),
        (OverflowError(), Code.CONFLICT, "cannot be restored here: OverflowError. Nothing"),
        (ValueError("x" * 10_000), Code.CONFLICT, f"{'x' * 500}. Nothing was written"),
    ],
)
@pytest.mark.django_db
def test_rows_that_do_not_fit_are_a_sentence(error: Exception, code: Code, sentence: str) -> None:
    with pytest.raises(Refused) as refused, restore._refusing(Path("backup.gz")):
        raise error
    assert refused.value.code is code
    assert sentence in refused.value.detail
    assert "\n" not in refused.value.detail


@pytest.mark.django_db
def test_damaged_text_of_a_restored_version_is_named() -> None:
    key = Version.objects.latest("pk").pk
    tamper("UPDATE registry_version SET source = 'x' WHERE id = %s", key)
    sentence = rf"backup.gz cannot be restored here: registry_version {key} \(.*\): source is not"
    with pytest.raises(Refused, match=sentence), restore._refusing(Path("backup.gz")):
        json.loads("x")


@pytest.mark.parametrize(
    "fault",
    [
        database_faults.full,
        database_faults.locked,
        lambda: database_faults.sqlite_error(sqlite3.SQLITE_IOERR),
    ],
)
@pytest.mark.django_db
def test_database_that_cannot_write_does_not_blame_the_backup(
    fault: Callable[[], DatabaseError],
) -> None:
    with pytest.raises(DatabaseError), restore._refusing(Path("backup.gz")):
        raise fault()
