"""The command `ttag`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

from ttag.cli import (
    check,
    diff,
    explain,
    lock,
    mirror,
    probe,
    propose,
    publish,
    records,
    resolve,
    search,
    show,
    sync,
    versions,
)
from ttag.cli.command import Command, Context
from ttag.cli.console import Console
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
    propose.COMMAND,
    publish.COMMAND,
    mirror.COMMAND,
    probe.COMMAND,
    records.COMMAND,
)
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


def build_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = ArgumentParser(
        prog="ttag", description="Resolve, lock and cache the targets of a Target Tag Registry."
    )
    parser.add_argument("--version", action="version", version=f"ttag {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.name, help=command.summary, description=f"{command.summary.capitalize()}."
        )
        subparser.add_argument("--json", action="store_true", help="write the result as JSON")
        subparser.add_argument(
            "-q", "--quiet", action="store_true", help="write only results, warnings and errors"
        )
        command.configure(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _run(arguments: Sequence[str] | None, directory: Path, console: Console) -> int:
    parsed = build_parser().parse_args(arguments)
    console.json, console.quiet = parsed.json, parsed.quiet
    try:
        code: ExitCode = parsed.run(parsed, Context(directory, console))
    except TtagError as error:
        for each in (error, *error.others):
            console.error(str(each))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    return code
