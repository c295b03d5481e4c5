"""Recomputes the lints of all versions, after the facts behind them have been updated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from registry.models import LintReport
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log.appending import append_event
from registry.services.operations.backups import Report, no_progress
from registry.services.operations.verification.stored import version_batches
from registry.services.versions import linting

ACTION = "lints.replaced"


@dataclass(frozen=True, slots=True)
class LintResult:
    """The number of versions looked at, of those whose lints changed, and of those with lints."""

    versions: int
    changed: int
    linted: int


def lint_all(*, actor: Actor, report: Report = no_progress) -> LintResult:
    """Replace the lints of all versions, and append an event if any changed.

    At most 500 versions are in memory at a time. They are computed without the write lock, which
    each batch takes for its changes only; other writes can happen in between.
    """
    result = _lint_batches("versions", report)
    if result.changed:
        with write_lock():
            append_event(
                ACTION,
                "lints",
                actor=actor.user,
                namespace="",
                versions=result.versions,
                changed=result.changed,
                linted=result.linted,
            )
    return result


def rebuild_lints(report: Report = no_progress) -> None:
    """Compute the lints of all versions without an event, to restore a backup."""
    _lint_batches("lints", report)


def _lint_batches(step: str, report: Report) -> LintResult:
    """Replace the lints of all versions, and report the progress under the name of a step."""
    versions, changed = 0, 0
    for pks in version_batches(partial(report, step)):
        versions += len(pks)
        computed, stored = linting.compute_reports(pks), linting.stored_reports(pks)
        if linting.changed_versions(pks, computed, stored):
            with write_lock():
                changed += linting.relint(pks)
    return LintResult(versions, changed, LintReport.objects.count())
