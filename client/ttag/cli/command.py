"""The interface of commands: arguments, project and console."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttag.cli.console import Console
from ttag.errors import ExitCode

if TYPE_CHECKING:
    from ttag.project import Project


class Argument:
    """An argument or option, declared as `ArgumentParser.add_argument` takes it."""

    def __init__(self, *names: str, **options: Any) -> None:
        self._names = names
        self._options = options

    def add_to(self, parser: ArgumentParser) -> None:
        """Add the argument to a parser."""
        parser.add_argument(*self._names, **self._options)


REFERENCE = Argument("reference", metavar="REF", help="such as aws/c4.4xlarge@1")
TAG = Argument("tag", metavar="TAG", help="such as aws/c4.4xlarge")
ALLOW_UNSAFE = Argument(
    "--allow-unsafe",
    action="store_true",
    help="accept values that could make a compiler open, load or print something",
)


def positive(text: str) -> int:
    """Return a positive number."""
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


@dataclass
class Context:
    """The folder, environment and console of one run, and whether it takes unsafe targets."""

    directory: Path
    console: Console
    allow_unsafe: bool = False

    @cached_property
    def project(self) -> Project:
        """The project of the folder; its warnings go to the console."""
        # Loading it takes longer than commands do that need none, such as --version.
        from ttag.project import Project  # noqa: PLC0415 - see above

        return Project.open(
            self.directory,
            environment=self.console.environment,
            warn=self.console.warn,
            note=self.console.note,
            allow_unsafe=self.allow_unsafe,
        )


@dataclass(frozen=True)
class Command:
    """A command: `run` does its work and returns the exit code, unless it has commands of its own.

    One without a summary is for programs; --help does not list it.
    """

    name: str
    summary: str
    run: Callable[[Namespace, Context], ExitCode] | None = None
    arguments: Sequence[Argument] = ()
    commands: Sequence[Command] = ()
