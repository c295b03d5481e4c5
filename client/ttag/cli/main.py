"""The command `ttag` and its errors."""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ttag.cli import (
    baseline,
    check,
    cmake,
    completion,
    diff,
    explain,
    identify,
    inspect,
    lock,
    mirror,
    probe,
    propose,
    publish,
    records,
    resolve,
    runs_on,
    search,
    show,
    sync,
    versions,
)
from ttag.cli.command import Command, Context
from ttag.cli.console import Console
from ttag.cli.parser import Parser
from ttag.errors import ExitCode, TtagError
from ttag.version import __version__

COMMANDS: tuple[Command, ...] = (
    resolve.COMMAND,
    lock.COMMAND,
    sync.COMMAND,
    check.COMMAND,
    search.COMMAND,
    show.COMMAND,
    versions.COMMAND,
    diff.COMMAND,
    explain.COMMAND,
    runs_on.COMMAND,
    baseline.COMMAND,
    propose.COMMAND,
    publish.COMMAND,
    mirror.COMMAND,
    probe.COMMAND,
    identify.COMMAND,
    inspect.COMMAND,
    records.COMMAND,
    cmake.COMMAND,
    completion.COMMAND,
    completion.COMPLETE,
)
OUTPUT_OPTIONS = {
    ("--json",): "write the result as JSON",
    ("-q", "--quiet"): "write only results, warnings and errors",
}
INTERRUPTED = 130  # as a shell reports a process that SIGINT has ended


def main(
    arguments: Sequence[str] | None = None,
    *,
    directory: Path | None = None,
    console: Console | None = None,
    environment: Mapping[str, str] = os.environ,
) -> int:
    """Run a command and return its exit code (`ExitCode`)."""
    console = console or Console.standard(environment)
    try:
        try:
            return _run(arguments, directory or Path.cwd(), console)
        finally:
            console.close()
            console.out.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe; the interpreter must not write again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="ttag", description="Resolve, lock and cache the targets of a Target Tag Registry."
    )
    parser.add_argument("--version", action="version", version=f"ttag {__version__}")
    _add_commands(parser, COMMANDS, parser, default=False)
    return parser


def _add_commands(
    parser: Parser, commands: Sequence[Command], root: Parser, *, default: bool | str
) -> None:
    """Add commands to a parser: `ttag`, the root, or a command that has commands of its own."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in commands:
        listed: dict[str, Any] = {"help": command.summary} if command.summary else {}
        subparser = subparsers.add_parser(command.name, **listed)
        subparser.description = f"{command.summary.capitalize()}." if listed else ""
        for names, summary in OUTPUT_OPTIONS.items():
            subparser.add_argument(*names, action="store_true", default=default, help=summary)
        for argument in command.arguments:
            argument.add_to(subparser)
        if command.commands:  # what was stated before the inner command stays so
            _add_commands(subparser, command.commands, root, default=SUPPRESS)
        subparser.set_defaults(run=command.run, parser=root)


def _run(arguments: Sequence[str] | None, directory: Path, console: Console) -> int:
    try:
        parsed = build_parser().parse_args(arguments)
        console.json, console.quiet = parsed.json, parsed.quiet
        allow_unsafe = getattr(parsed, "allow_unsafe", False)
        code: ExitCode = parsed.run(parsed, Context(directory, console, allow_unsafe))
    except TtagError as error:
        for each in (error, *error.others):
            console.error(str(each))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    return code
