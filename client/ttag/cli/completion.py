"""`ttag completion`, which prints a script for the shell."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ttag.cli.command import Argument, Command, Context
from ttag.errors import ExitCode

SCRIPTS = {"bash": Path(__file__).with_name("completion.bash")}
ARGUMENTS = (Argument("shell", choices=sorted(SCRIPTS), help="the shell"),)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the completion script."""
    context.console.text(SCRIPTS[arguments.shell].read_text(encoding="utf-8"))
    return ExitCode.OK


COMMAND = Command("completion", "print the completion script of a shell", run, ARGUMENTS)
