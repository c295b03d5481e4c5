"""`ttag completion`, which prints a script for the shell, and `ttag complete`, which it calls."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from ttag.cli.arguments import Argument
from ttag.cli.candidates import candidates
from ttag.cli.command import Command, Context
from ttag.cli.names import ReferenceNames
from ttag.cli.parser import Parser
from ttag.errors import ExitCode

SCRIPTS = {"bash": Path(__file__).with_name("completion.bash")}


ARGUMENTS = (Argument("shell", choices=sorted(SCRIPTS), help="the shell"),)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the completion script."""
    context.console.text(SCRIPTS[arguments.shell].read_text(encoding="utf-8"))
    return ExitCode.OK


COMPLETE_ARGUMENTS = (Argument("line", help="the command line up to the cursor"),)


def run_complete(arguments: Namespace, context: Context) -> ExitCode:
    """Print what may stand at the end of a command line, one candidate on each line."""
    parser: Parser = arguments.parser
    for candidate in candidates(arguments.line, parser, ReferenceNames(context.project)):
        context.console.line(candidate)
    return ExitCode.OK


COMMAND = Command("completion", "print the completion script of a shell", run, ARGUMENTS)
COMPLETE = Command("complete", "", run_complete, COMPLETE_ARGUMENTS)
