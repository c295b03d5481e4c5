"""`ttag complete`, which the shell calls by the script of `ttag completion`."""

from __future__ import annotations

from argparse import Namespace

from ttag.cli.arguments import Argument
from ttag.cli.candidates import candidates
from ttag.cli.command import Command, Context
from ttag.cli.names import ReferenceNames
from ttag.cli.parser import Parser
from ttag.errors import ExitCode

ARGUMENTS = (Argument("line", help="the command line up to the cursor"),)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print what may stand at the end of a command line, one candidate on each line."""
    parser: Parser = arguments.parser
    for candidate in candidates(arguments.line, parser, ReferenceNames(context.project)):
        context.console.line(candidate)
    return ExitCode.OK


COMMAND = Command("complete", "", run, ARGUMENTS)
