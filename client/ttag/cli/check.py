"""`ttag check`: whether the lock is what the settings and the registry say."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence

from ttag.cli.announcements import print_announcement
from ttag.cli.command import ALLOW_UNSAFE, Argument, Command, Context
from ttag.cli.console import RED, YELLOW
from ttag.errors import ExitCode, SettingsError, TtagError, attempt
from ttag.lock.announcements import Announcement, announce
from ttag.lock.check import Finding, check_lock, exit_code_of, machine_findings
from ttag.lock.syncing import sync_targets
from ttag.project import Project
from ttag.running import read_side

ARGUMENTS = (
    Argument(
        "--offline",
        action="store_true",
        help="only compare the lock with its checksums and the settings",
    ),
    Argument(
        "--outdated",
        action="store_true",
        help="fail if a reference allows a newer version, and say what it brings",
    ),
    Argument(
        "--on",
        default="",
        metavar="MACHINE",
        help="also fail if a locked target does not run there: a reference, ./FILE, or this",
    ),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the findings, and fail if one of them is more than a note."""
    outdated: bool = arguments.outdated
    offline = arguments.offline or context.project.settings.offline
    if outdated and offline:
        raise SettingsError(
            "--outdated asks the registry, and --offline, TTAG_OFFLINE and `offline` forbid that."
        )
    findings = check_lock(context.project, offline=offline)
    if arguments.on:
        machine = read_side(
            arguments.on, context.project, context.directory, context.console.progress
        )
        findings += machine_findings(context.project.lock.content, machine)
    moves = _moves(findings, context.project) if outdated else {}
    if context.console.json:
        context.console.value([_as_json(each, moves, outdated=outdated) for each in findings])
    for finding in findings if not context.console.json else ():
        style = RED if finding.fails(outdated=outdated) else YELLOW
        problem = context.console.styled(style, f"{finding.problem}:")
        context.console.line(f"{problem} {finding.message}")
        if finding.moves and finding.reference in moves:
            print_announcement(moves[finding.reference], context.console)
    if not findings:
        name = context.project.settings.lock.name
        says = "is intact, and what the settings name; no registry was asked"
        context.console.note(f"{name} {says if offline else 'is up to date'}.")
    return exit_code_of(findings, outdated=outdated)


def _moves(findings: Sequence[Finding], project: Project) -> dict[str, Announcement]:
    """Return what moved and why, by reference, for the findings that `ttag sync` would settle."""
    references = [finding.reference for finding in findings if finding.moves]
    if not references:
        return {}
    moves = attempt(sync_targets, project, references, dry_run=True)
    if isinstance(moves, TtagError):  # the findings say what is wrong; moves only explain them
        return {}
    return {each.move.reference: each for each in announce(project, moves)}


def _as_json(
    finding: Finding, moves: Mapping[str, Announcement], *, outdated: bool
) -> dict[str, object]:
    move = moves.get(finding.reference) if finding.moves else None
    return {
        "problem": finding.problem,
        "reference": finding.reference or None,
        "message": finding.message,
        "fails": finding.fails(outdated=outdated),
        "move": move.as_json() if move else None,
    }


COMMAND = Command(
    "check", "fail if the lock is stale, yanked, deprecated or tampered with", run, ARGUMENTS
)
