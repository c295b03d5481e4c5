"""`ttag sync`: newer versions for the lock, and what they mean."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace

from ttag.cli.arguments import ALLOW_UNSAFE, Argument
from ttag.cli.command import Command, Context
from ttag.cli.console import GREEN, RED, YELLOW, Console
from ttag.cli.values import compact
from ttag.errors import ExitCode, TtagError, attempt
from ttag.lock.syncing import sync_targets
from ttag.moves import ROOT, Move
from ttag.records.database import Database
from ttag.records.folders import databases_in
from ttag.records.kept import KeptRecords, kept_records
from ttag.responses.changes import Value

MAX_CHANGES = 8  # lines for one move; `ttag diff` shows all
STYLES = {"PATCH": GREEN, "MINOR": YELLOW, "MAJOR": RED}


ARGUMENTS = (
    Argument("references", nargs="*", metavar="REF", help="locked references; default: all"),
    Argument("--dry-run", action="store_true", help="report the moves without writing the lock"),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Move what can be moved, and report each move and what it means for tuning records."""
    console, dry_run, project = context.console, arguments.dry_run, context.project
    databases = databases_in(project.settings.records)
    moves = sync_targets(project, arguments.references, dry_run=dry_run)
    records = [_compare(databases, move, context) for move in moves]
    if console.json:
        console.value(list(map(_as_json, moves, records)))
        return ExitCode.OK
    for move, kept in zip(moves, records, strict=True):
        _print(move, console)
        if kept and (kept.total or kept.failed):
            console.line(f"    records: {kept}")
    if not moves:
        console.note("Every reference is at the newest version that it allows.")
    elif dry_run:
        console.note("Nothing was written.")
    return ExitCode.OK


def _compare(databases: Sequence[Database], move: Move, context: Context) -> KeptRecords | None:
    """Return which records keep applying; None if there are none, or with a note why it is open.

    Mirrors do not hold what is compared, and the lock no longer holds the old version.
    """
    if not databases:
        return None
    project = context.project
    unlocked = replace(project, settings=replace(project.settings, locked=False))
    kept = attempt(kept_records, databases, move, unlocked)
    if isinstance(kept, TtagError):
        context.console.note(f"note: {move.reference}: records were not compared. {kept.message}")
        return None
    return kept


def _as_json(move: Move, records: KeptRecords | None) -> dict[str, object]:
    return move.as_json() | {"records": asdict(records) if records else None}


def _print(move: Move, console: Console) -> None:
    versions = f"{move.old.version} -> {move.new.version}"
    if move.old.tag != move.new.tag:
        versions = f"{move.old.exact} -> {move.new.exact}"
    bump = console.styled(STYLES[move.bump], move.bump)
    console.line(f"{move.reference}: {versions}  {bump}: {move.meaning}")
    for change in move.changes[:MAX_CHANGES]:
        old, new = map(_side, (change.old, change.new))
        console.line(f"    {change.pointer or ROOT}: {old} -> {new}")
    if len(move.changes) > MAX_CHANGES:
        hidden = len(move.changes) - MAX_CHANGES
        console.line(f"    and {hidden} more: ttag diff {move.old.exact} {move.new.exact}")


def _side(value: Value | None) -> str:
    return compact(value.value) if value else "absent"


COMMAND = Command("sync", "move the lock to the newest versions it allows", run, ARGUMENTS)
