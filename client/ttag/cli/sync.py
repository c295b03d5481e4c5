"""`ttag sync`: newer versions for the lock, and what they mean."""

from __future__ import annotations

from argparse import Namespace

from ttag.cli.arguments import ALLOW_UNSAFE, Argument
from ttag.cli.command import Command, Context
from ttag.cli.console import GREEN, RED, YELLOW, Console
from ttag.cli.values import compact
from ttag.errors import ExitCode
from ttag.lock.syncing import sync_targets
from ttag.moves import ROOT, Move
from ttag.responses.changes import Value

MAX_CHANGES = 8  # lines for one move; `ttag diff` shows all
STYLES = {"PATCH": GREEN, "MINOR": YELLOW, "MAJOR": RED}


ARGUMENTS = (
    Argument("references", nargs="*", metavar="REF", help="locked references; default: all"),
    Argument("--dry-run", action="store_true", help="report the moves without writing the lock"),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Move what can be moved and report each move."""
    console, dry_run = context.console, arguments.dry_run
    moves = sync_targets(context.project, arguments.references, dry_run=dry_run)
    if console.json:
        console.value([move.as_json() for move in moves])
        return ExitCode.OK
    for move in moves:
        _print(move, console)
    if not moves:
        console.note("Every reference is at the newest version that it allows.")
    elif dry_run:
        console.note("Nothing was written.")
    return ExitCode.OK


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
