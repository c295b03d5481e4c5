"""The command `ttag` and its errors."""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ttag.cli.command import Command, Context
from ttag.cli.console import Console
from ttag.cli.parser import Parser
from ttag.errors import ExitCode, FileError, TtagError
from ttag.version import __version__

COMPLETE = "complete"
VERSION = "--version"
# Modules of this package, each with one command, in the order of --help.
MODULES = {
    name: f"ttag.cli.{name.replace('-', '_')}"
    for name in (
        *("resolve", "lock", "sync", "check", "search", "show", "versions", "diff", "explain"),
        *("runs-on", "baseline", "propose", "publish", "mirror", "probe", "identify", "inspect"),
        *("records", "cmake", "completion", COMPLETE),
    )
}
OUTPUT_OPTIONS = {
    ("--json",): "write the result as JSON",
    ("-q", "--quiet"): "write only results, warnings and errors",
}


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
            console.flush()
    except BrokenPipeError:  # of a command that writes until nobody reads any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except FileError as error:
        console.error(str(error))
        return error.exit_code


def commands(name: str = "") -> list[Command]:
    """Return the command of a name alone, because loading the others takes longer than most runs.

    None for --version. All of them for another name, or for the command that completes them.
    """
    if name == VERSION:
        return []
    names = [name] if name in MODULES.keys() - {COMPLETE} else [*MODULES]
    return [import_module(MODULES[each]).COMMAND for each in names]


def build_parser(commands: Sequence[Command]) -> Parser:
    """Return the parser of some commands."""
    parser = Parser(
        prog="ttag", description="Resolve, lock and cache the targets of a Target Tag Registry."
    )
    parser.add_argument(VERSION, action="version", version=f"ttag {__version__}")
    _add_commands(parser, commands, parser, default=False)
    return parser


def _add_commands(
    parser: Parser, commands: Sequence[Command], root: Parser, *, default: bool | str
) -> None:
    """Add commands to a parser: `ttag`, the root, or a command that has commands of its own."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in commands:
        listed: dict[str, Any] = {"help": command.summary} if command.summary else {}
        subparser = subparsers.add_parser(command.name, **listed)
        first, rest = command.summary[:1], command.summary[1:]
        subparser.description = f"{first.upper()}{rest}." if listed else ""
        for names, summary in OUTPUT_OPTIONS.items():
            subparser.add_argument(*names, action="store_true", default=default, help=summary)
        for argument in command.arguments:
            argument.add_to(subparser)
        if command.commands:  # what was stated before the inner command stays so
            _add_commands(subparser, command.commands, root, default=SUPPRESS)
        subparser.set_defaults(run=command.run, parser=root)


def _run(arguments: Sequence[str] | None, directory: Path, console: Console) -> int:
    try:
        words = sys.argv[1:] if arguments is None else arguments
        parsed = build_parser(commands(words[0] if words else "")).parse_args(words)
        console.json, console.quiet = parsed.json, parsed.quiet
        allow_unsafe = getattr(parsed, "allow_unsafe", False)
        code: ExitCode = parsed.run(parsed, Context(directory, console, allow_unsafe))
    except TtagError as error:
        for each in (error, *error.others):
            console.error(str(each))
        return error.exit_code
    return code
