"""`ttag check`: whether the lock is what the settings and the registry say."""

from __future__ import annotations

from argparse import Namespace

from ttag.cli.arguments import ALLOW_UNSAFE, Argument
from ttag.cli.command import Command, Context
from ttag.cli.console import RED, YELLOW
from ttag.errors import ExitCode
from ttag.lock.check import Finding, check_lock, exit_code_of, machine_findings
from ttag.running import read_side

ARGUMENTS = (
    Argument(
        "--offline",
        action="store_true",
        help="only compare the lock with its checksums and the settings",
    ),
    Argument("--outdated", action="store_true", help="fail if a reference allows a newer version"),
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
    findings = check_lock(context.project, offline=arguments.offline)
    if arguments.on:
        machine = read_side(
            arguments.on, context.project, context.directory, context.console.progress
        )
        findings += machine_findings(context.project.lock.content, machine)
    if context.console.json:
        context.console.value([_as_json(finding, outdated=outdated) for finding in findings])
    for finding in findings if not context.console.json else ():
        style = RED if finding.fails(outdated=outdated) else YELLOW
        problem = context.console.styled(style, f"{finding.problem}:")
        context.console.line(f"{problem} {finding.message}")
    if not findings:
        context.console.note(f"{context.project.settings.lock.name} is up to date.")
    return exit_code_of(findings, outdated=outdated)


def _as_json(finding: Finding, *, outdated: bool) -> dict[str, object]:
    return {
        "problem": finding.problem,
        "reference": finding.reference or None,
        "message": finding.message,
        "fails": finding.fails(outdated=outdated),
    }


COMMAND = Command(
    "check", "fail if the lock is stale, yanked, deprecated or tampered with", run, ARGUMENTS
)
