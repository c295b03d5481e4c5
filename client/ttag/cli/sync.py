"""`ttag sync`: newer versions for the lock, and what they mean."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace

from ttag.cli.announcements import as_markdown, print_announcement
from ttag.cli.command import ALLOW_UNSAFE, Argument, Command, Context
from ttag.errors import ExitCode, TtagError, attempt
from ttag.files import write_file
from ttag.lock.announcements import Announcement, announce
from ttag.lock.syncing import sync_targets
from ttag.moves import Move
from ttag.records.coverage import KeptRecords, kept_records
from ttag.records.database import Database, databases_in

ARGUMENTS = (
    Argument("references", nargs="*", metavar="REF", help="locked references; default: all"),
    Argument("--dry-run", action="store_true", help="report the moves without writing the lock"),
    Argument(
        "--summary",
        default="",
        metavar="FILE",
        help="also write what moved and why as Markdown, for a pull request",
    ),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Move what can be moved, and report each move and what it means for tuning records."""
    console, dry_run, project = context.console, arguments.dry_run, context.project
    databases = databases_in(project.settings.records)
    moves = sync_targets(project, arguments.references, dry_run=dry_run)
    records = [_compare(databases, move, context) for move in moves]
    if arguments.summary:
        text = as_markdown(announce(project, moves))
        write_file(context.directory / arguments.summary, text.encode())
    if console.json:
        pairs = zip(moves, records, strict=True)
        console.value(
            [move.as_json() | {"records": asdict(kept) if kept else None} for move, kept in pairs]
        )
        return ExitCode.OK
    for move, kept in zip(moves, records, strict=True):
        print_announcement(Announcement(move), console)
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


COMMAND = Command("sync", "move the lock to the newest versions it allows", run, ARGUMENTS)
