"""Restores an archive into an empty registry, on either database, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError, DeserializedObject
from django.core.serializers.python import Deserializer
from django.db import DatabaseError, connection
from django.db.models import Model

from registry.domain.errors import Code, Refused, echo
from registry.services.core import damaged_rows, database_errors
from registry.services.core.planner_statistics import update_planner_statistics
from registry.services.core.transactions import write_lock
from registry.services.event_log import reading, tree_hashes
from registry.services.operations import (
    archived_rows,
    health,
    linting,
    log_backfill,
    rebuild,
    verify,
)
from registry.services.operations.archive import Archive, Row
from registry.services.operations.backups import (
    BACKED_UP,
    BATCH_SIZE,
    Report,
    applied_migrations,
    archived_models,
    no_progress,
)
from registry.services.operations.older_backups import (
    LATER_APPS,
    LATER_MIGRATIONS,
    rows_with_new_names,
)
from registry.services.operations.verification import Finding

MAX_LISTED = 5  # findings that an error lists
MAX_REASON = 500  # characters of an error of the database, which may repeat a value


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The number of restored rows, and the findings of verifying them."""

    rows: int
    findings: list[Finding]


def restore(
    path: Path, report: Report = no_progress, *, despite_findings: bool = False
) -> RestoreResult:
    """Restore the rows of an archive, with their primary keys.

    Then rebuilds derived tables and verifies everything, in the same transaction. Raises `Refused`:
    REQUEST_INVALID if the file is not a complete archive with this release's migrations, CONFLICT
    if the registry is not empty, or if there are findings of damage, unless `despite_findings`.
    """
    archive = Archive(path)
    _refuse_other_tables(archive)
    _refuse_damaged_rows(archive)
    with write_lock(), _refusing(path):
        refuse_unless_empty()
        count = _insert(archive, report)
        _advance_sequences()
        connection.check_constraints()
        if not log_backfill.backfill():
            tree_hashes.rebuild_tiles()
        rebuild.rebuild_derived(report)
        linting.rebuild_lints(report)
        tree_hashes.extend()  # over the events of the steps before
        reading.skip_to_end()  # all of it was news to somebody, before the backup
        findings = list(verify.verify(report))
        damage = [finding for finding in findings if finding.is_damage]
        if damage and not despite_findings:
            first = "\n".join(map(str, damage[:MAX_LISTED]))
            raise Refused(
                Code.CONFLICT,
                f"{path} failed verification with {len(damage)} findings. Nothing was written. "
                f"First findings:\n{first}",
            )
    update_planner_statistics()
    return RestoreResult(count, findings)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Raise an error of rows that fit neither the tables nor each other as `Refused` (CONFLICT)."""
    try:
        yield
    except (DatabaseError, DeserializationError, ArithmeticError, *damaged_rows.SYMPTOMS) as error:
        if database_errors.refusal(error) or database_errors.failed_access(error):
            raise  # the database cannot write, and the backup may be right
        is_of_database = isinstance(error, DatabaseError)  # which takes no more queries then
        reason = "" if is_of_database else next(damaged_rows.damages(), "")
        reason = reason or str(error).strip().partition("\n")[0] or type(error).__name__
        raise Refused(
            Code.CONFLICT,
            f"{path} cannot be restored here: {reason[:MAX_REASON]}. Nothing was written.",
        ) from error


def refuse_unless_empty() -> None:
    """Raise `Refused` (CONFLICT) if the registry has any row, or is not ready."""
    counts = {model._meta.label_lower: model._base_manager.count() for model in archived_models()}
    rows = ", ".join(f"{label} {count}" for label, count in counts.items() if count)
    if rows:
        raise Refused(
            Code.CONFLICT,
            f"This registry is not empty ({rows}). Restore the backup into a new, migrated "
            "database.",
        )
    if problems := health.problems(check_writes=False):
        raise Refused(Code.CONFLICT, f"This registry is not ready: {'; '.join(problems)}.")


def _refuse_other_tables(archive: Archive) -> None:
    archived, applied = archive.header.migrations, applied_migrations()
    for app in sorted({*archived, *applied} - (LATER_APPS - archived.keys())):
        extra = sorted({*archived.get(app, [])} - {*applied.get(app, [])})
        missing = sorted(
            {*applied.get(app, [])} - {*archived.get(app, [])} - LATER_MIGRATIONS.keys()
        )
        if extra or missing:
            migration = f"{app} {(extra or missing)[0]}"
            raise Refused(
                Code.REQUEST_INVALID,
                f"{archive.path} was created {'with' if extra else 'without'} the migration "
                f"{migration}, which this registry has {'not applied' if extra else 'applied'}. "
                "Restore it with the release that created it, then upgrade.",
            )
    if unknown := archive.header.counts.keys() - {label.lower() for label in BACKED_UP}:
        raise Refused(
            Code.REQUEST_INVALID,
            f"{archive.path} contains {echo(min(unknown))}, which is not part of backups.",
        )


def _refuse_damaged_rows(archive: Archive) -> None:
    """Read the whole archive. Raises `Refused` for the first row that is not of this release."""
    is_complete = archive.header.migrations == applied_migrations()
    for row in rows_with_new_names(archive):
        if problem := archived_rows.problem(row, is_complete=is_complete):
            raise Refused(Code.REQUEST_INVALID, f"{archive.path} is damaged: {problem}.")


def _insert(archive: Archive, report: Report) -> int:
    done = 0
    for label, batch in _batches(rows_with_new_names(archive)):
        rows = list(Deserializer(batch))
        _store(apps.get_model(label), rows)
        done += len(rows)
        report(label, done, archive.header.total)
    return done


def _batches(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield rows in batches of at most 500, each of one model."""
    label, batch = "", list[Row]()
    for row in rows:
        if batch and (row["model"] != label or len(batch) == BATCH_SIZE):
            yield label, batch
            batch = []
        label = row["model"]
        batch.append(row)
    if batch:
        yield label, batch


def _store(model: type[Model], rows: list[DeserializedObject]) -> None:
    """Insert rows with `raw`, as `loaddata` does, to keep dates."""
    manager: Any = model._base_manager
    fields = model._meta.local_concrete_fields
    instances = iter([row.object for row in rows])
    size = connection.ops.bulk_batch_size(fields, rows)
    while batch := list(islice(instances, size)):
        manager._insert(batch, fields=fields, raw=True, using=connection.alias)
    for row in rows:
        for name, values in (row.m2m_data or {}).items():
            if values:
                getattr(row.object, name).set(values)


def _advance_sequences() -> None:
    """Advance the database's sequences past the restored primary keys."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), archived_models()):
            cursor.execute(statement)
