"""The interface of commands: arguments, project and console."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ttag.cli.arguments import Argument
from ttag.cli.console import Console
from ttag.errors import ExitCode

if TYPE_CHECKING:
    from ttag.project import Project


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
