"""`ttag cmake`: what CMake needs to find and to follow."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import ttag
from ttag.cli.command import Argument, Command, Context
from ttag.errors import ExitCode

FOLDER = Path(ttag.__file__).parent / "cmake"
ARGUMENTS = (
    Argument(
        "--inputs",
        action="store_true",
        help="print the files that targets depend on instead: the settings and the lock",
    ),
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the folder of the CMake package, or the files that decide what a tag resolves to."""
    console = context.console
    settings = context.project.settings if arguments.inputs else None
    paths = [path for path in (settings.file, settings.lock) if path] if settings else [FOLDER]
    if console.json:
        console.value(list(map(str, paths)))
    else:
        console.text("".join(f"{path}\n" for path in paths))
    return ExitCode.OK


COMMAND = Command("cmake", "print the folder of the CMake package TargetTag", run, ARGUMENTS)
