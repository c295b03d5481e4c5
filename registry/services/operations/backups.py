"""Backups of all data that cannot be recomputed, from a consistent snapshot."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from glob import escape
from graphlib import TopologicalSorter
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeAlias

from django.apps import apps
from django.core.serializers.python import Serializer
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.services.catalogue import coverage
from registry.services.operations import archive
from registry.services.operations.archive import Header, Row
from registry.services.operations.snapshots import snapshot

BATCH_SIZE = 500  # rows in memory at a time
DAILY = "20[0-9][0-9]-[0-9][0-9]-[0-9][0-9].gz"  # the names of nightly backups
PARTIAL_AGE = 24 * 3600  # seconds; no backup takes as long
BACKED_UP = (
    *("auth.Group", "registry.User", "registry.Namespace", "registry.Membership"),
    *("account.EmailAddress", "mfa.Authenticator", "socialaccount.SocialAccount"),
    *("registry.Token", "registry.Kind", "registry.KindRevision", "registry.Tag", "registry.Name"),
    *("registry.Deprecation", "registry.Version", "registry.VersionKind", "registry.Dependency"),
    *("registry.Ancestry", "registry.Withdrawal", "registry.Event", "registry.VersionLeaf"),
    *("registry.LogRange", "registry.LogKey", "registry.LogFork"),
    *("registry.Proposal", "registry.ProposalRevision", "registry.Turn", "registry.SavedDraft"),
    *("registry.NamespaceRequest", "registry.RequestComment", "registry.TrustedPublisher"),
    *("registry.Watch", "registry.Notice", "registry.MailChoice", "registry.NewsFeed"),
    *("registry.Webhook", "registry.RecoveryKey", "registry.Readme"),
)
DERIVED = {  # with the command that recomputes it
    "contenttypes.ContentType": "migrate",
    "auth.Permission": "migrate; groups and users refer to permissions by name",
    "registry.Posting": "restore and reindex",
    "registry.Term": "restore and reindex",
    "registry.TermGram": "restore and reindex",
    "registry.Entry": "restore and reindex",
    "registry.Attribute": "restore and reindex",
    "registry.Total": "restore and reindex",
    "registry.ValueTotal": "restore and reindex",
    "registry.GroupTotal": "restore and reindex",
    "registry.LintReport": "restore and lint",
    "registry.LogTile": "restore",
}
EPHEMERAL = {  # with the reason why it is not needed
    "admin.LogEntry": "never written: the admin uses services, which log events",
    "registry.AnswerChange": "a new database starts from a later number",
    "registry.AnswerRevision": "a new database starts from a later number",
    "registry.Session": "users sign in again",
    "registry.PendingChange": "requested again",
    "registry.AccountReset": "begun again; its waiting time would have gone on unseen",
    "registry.UsedIdentity": "identity tokens expire within minutes",
    "registry.OutgoingMail": "holds secrets: links that reset passwords; requested again",
    "registry.Duty": "of the worker of this database",
    "registry.LogCursor": "restoring moves it to the end: what happened before is no news",
    "registry.WebhookDelivery": "what waited was delivered since, or is old",
    "registry.NoticeMail": "what waited to be mailed was mailed since, or is old",
    "registry.DailyUsage": "statistics; counted again",
    "registry.RecentUsage": "statistics; counted again",
    "socialaccount.SocialApp": "never written: the provider is in the settings",
    "socialaccount.SocialToken": "never written: tokens of the provider are not kept",
    "account.EmailConfirmation": "never written: links in mail are signed instead",
}

Report: TypeAlias = Callable[[str, int, int], None]  # step, rows done, rows in total


def no_progress(_step: str, _done: int, _total: int) -> None:
    """Report nothing about the progress."""


def archived_models() -> list[type[Model]]:
    """Return the archived models, each after those that it refers to."""
    models = [apps.get_model(label) for label in BACKED_UP]
    references = {
        model: [
            field.related_model
            for field in model._meta.concrete_fields
            if field.related_model in models and field.related_model is not model
        ]
        for model in models
    }
    return list(TopologicalSorter(references).static_order())


def applied_migrations() -> dict[str, list[str]]:
    """Return the applied migrations of the archived models, by application."""
    app_labels = sorted({model._meta.app_label for model in archived_models()})
    applied = MigrationRecorder(connection).applied_migrations()
    return {app: sorted(name for owner, name in applied if owner == app) for app in app_labels}


def back_up(file: IO[bytes], report: Report = no_progress) -> int:
    """Write an archive of the current state to a file; return its number of rows.

    Does not block writes. Two queries per table; 500 rows in memory.
    """
    with snapshot():
        models = archived_models()
        counts = {model._meta.label_lower: model._base_manager.count() for model in models}
        created = f"{timezone.now():%Y-%m-%dT%H:%M:%SZ}"
        header = Header(created, applied_migrations(), counts, coverage.notices())
        return archive.write_archive(file, header, _rows(models, header.total, report))


def back_up_to(path: Path, report: Report = no_progress) -> int:
    """Write an archive next to `path`, readable by its owner only, then rename it to `path`.

    So the file is never incomplete; an older one is replaced. Raises `Refused`
    (REQUEST_INVALID) if the file cannot be written.
    """
    try:
        _delete_partial(path.absolute().parent, escape(path.name))
        with _replacing(path) as file:
            return back_up(file, report)
    except OSError as error:
        raise Refused(
            Code.REQUEST_INVALID, f"{path} cannot be written: {error.strerror or error}."
        ) from error


def delete_old(folder: Path, keep: int) -> int:
    """Delete backups named after a day but the newest, and partial ones; return their number."""
    old = sorted(folder.glob(DAILY))[: -keep or None]
    for path in old:
        path.unlink(missing_ok=True)
    _delete_partial(folder, DAILY)
    return len(old)


def _delete_partial(folder: Path, pattern: str) -> None:
    """Delete what killed backups of such names have left: parts, with credentials as the whole."""
    oldest = time.time() - PARTIAL_AGE
    for path in folder.glob(f".{pattern}.????????"):
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    folder = path.absolute().parent
    with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{path.name}.", delete=False) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).rename(path)
        except BaseException:
            Path(file.name).unlink()
            raise


def _rows(models: list[type[Model]], total: int, report: Report) -> Iterator[Row]:
    done = 0
    for model in models:
        for rows in _batches(model):
            yield from rows
            done += len(rows)
            report(model._meta.label_lower, done, total)


def _batches(model: type[Model]) -> Iterator[list[Row]]:
    """Yield a table's rows as Django serialises them, with groups and permissions by name."""
    linked = [field.name for field in model._meta.local_many_to_many]
    rows = iter(
        model._base_manager.order_by("pk").prefetch_related(*linked).iterator(chunk_size=BATCH_SIZE)
    )
    serializer = Serializer()
    while batch := list(islice(rows, BATCH_SIZE)):
        serialized: Any = serializer.serialize(batch, use_natural_foreign_keys=bool(linked))
        for row in serialized:
            for name in linked:
                row["fields"][name].sort()
        yield serialized
