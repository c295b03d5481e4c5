"""The interface of commands: arguments, project and console."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ttag.cli.console import Console
from ttag.errors import ExitCode
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
        return Project.open(
            self.directory,
            environment=self.console.environment,
            warn=self.console.warn,
            note=self.console.note,
            allow_unsafe=self.allow_unsafe,
        )


@dataclass(frozen=True)
class Command:
    """A command: `configure` adds its arguments, `run` does its work and returns the exit code."""

    name: str
    summary: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Context], ExitCode]
