"""Restoring: an archive into an empty registry, on either database, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from django.apps import apps
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError, DeserializedObject
from django.core.serializers.python import Deserializer
from django.db import DatabaseError, connection
from django.db.models import Model

from registry.domain.errors import Code, Refused
from registry.services.core.transactions import write_lock
from registry.services.operations import health, rebuild, verify
from registry.services.operations.archive import Archive, Row
from registry.services.operations.backups import (
    BACKED_UP,
    BATCH_SIZE,
    Report,
    applied_migrations,
    archived_models,
    no_progress,
)
from registry.services.operations.verification.findings import Finding

MAX_SHOWN = 5  # findings that a refusal quotes


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """How many rows were brought back, and what is wrong with them."""

    rows: int
    findings: list[Finding]


def restore(
    path: Path, report: Report = no_progress, *, despite_findings: bool = False
) -> RestoreResult:
    """Bring back what an archive holds, with its primary keys.

    Rows are inserted only, past no trigger and no constraint. Then what is derived is computed and
    everything verified, in the same transaction. Raises `Refused`: REQUEST_INVALID for a file that
    is no whole archive of tables like these, CONFLICT where something is stored already, or where
    what the archive holds does not verify, unless it is wanted all the same.
    """
    archive = Archive(path)
    _refuse_other_tables(archive)
    archive.check()
    with write_lock():
        refuse_unless_empty()
        try:
            count = _insert(archive, report)
            _advance_sequences()
            connection.check_constraints()
        except (DatabaseError, DeserializationError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise Refused(
                Code.CONFLICT, f"{path} cannot be restored here: {reason}. Nothing was written."
            ) from error
        rebuild.rebuild_derived(report)
        findings = list(verify.verify(report))
        if findings and not despite_findings:
            _refuse(path, findings)
    return RestoreResult(count, findings)


def refuse_unless_empty() -> None:
    """Raise `Refused` (CONFLICT) where anything is published, or anybody has an account."""
    counts = {model._meta.label_lower: model._base_manager.count() for model in archived_models()}
    there = ", ".join(f"{label} {count}" for label, count in counts.items() if count)
    if there:
        raise Refused(
            Code.CONFLICT,
            f"This registry is not empty ({there}). A backup is restored into a new database that "
            "has been migrated and nothing else.",
        )
    if problems := health.problems():
        raise Refused(Code.CONFLICT, f"This registry is not ready: {'; '.join(problems)}.")


def _refuse_other_tables(archive: Archive) -> None:
    there, here = archive.header.migrations, applied_migrations()
    for app in sorted({*there, *here}):
        more = sorted({*there.get(app, [])} - {*here.get(app, [])})
        fewer = sorted({*here.get(app, [])} - {*there.get(app, [])})
        if more or fewer:
            lacking = f"{app} {(more or fewer)[0]}"
            raise Refused(
                Code.REQUEST_INVALID,
                f"{archive.path} was made {'with' if more else 'without'} the migration {lacking}, "
                f"which this registry has {'not' if more else 'gone through'}. Restore it with the "
                "release that made it, then upgrade.",
            )
    if unknown := archive.header.counts.keys() - {label.lower() for label in BACKED_UP}:
        raise Refused(
            Code.REQUEST_INVALID, f"{archive.path} holds {min(unknown)}, which no backup has."
        )


def _insert(archive: Archive, report: Report) -> int:
    done = 0
    for label, batch in _batches(archive.rows()):
        made = list(Deserializer(batch))
        _store(apps.get_model(label), made)
        done += len(made)
        report(label, done, archive.header.total)
    return done


def _batches(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Rows of one model each, at most 500 at a time."""
    label, batch = "", list[Row]()
    for row in rows:
        if batch and (row["model"] != label or len(batch) == BATCH_SIZE):
            yield label, batch
            batch = []
        label = row["model"]
        batch.append(row)
    if batch:
        yield label, batch


def _store(model: type[Model], made: list[DeserializedObject]) -> None:
    """Insert rows as they are: `raw`, as loading fixtures does, so that dates stay."""
    manager: Any = model._base_manager
    fields = model._meta.local_concrete_fields
    rows = iter([each.object for each in made])
    size = connection.ops.bulk_batch_size(fields, made)
    while some := list(islice(rows, size)):
        manager._insert(some, fields=fields, raw=True, using=connection.alias)
    for each in made:
        for name, values in (each.m2m_data or {}).items():
            if values:
                getattr(each.object, name).set(values)


def _advance_sequences() -> None:
    """Let new rows come after those restored, where the database counts by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), archived_models()):
            cursor.execute(statement)


def _refuse(path: Path, findings: list[Finding]) -> NoReturn:
    shown = "\n".join(map(str, findings[:MAX_SHOWN]))
    raise Refused(
        Code.CONFLICT,
        f"{path} holds what does not verify: {len(findings)} findings. Nothing was written. "
        f"The first of them:\n{shown}",
    )
