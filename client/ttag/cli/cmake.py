"""`ttag cmake`: what CMake needs to find and to follow."""

from __future__ import annotations

from argparse import Namespace
from itertools import takewhile
from pathlib import Path

import ttag
from ttag.cli.command import Argument, Command, Context
from ttag.errors import ExitCode
from ttag.settings import places

FOLDER = Path(ttag.__file__).parent / "cmake"
ARGUMENTS = (
    Argument(
        "--inputs",
        action="store_true",
        help="print the files that targets depend on instead, also those that do not exist yet: "
        "the settings and the lock",
    ),
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the folder of the CMake package, or the files that decide what a tag resolves to."""
    console = context.console
    paths = _inputs(context) if arguments.inputs else [FOLDER]
    if console.json:
        console.value(list(map(str, paths)))
    else:
        console.text("".join(f"{path}\n" for path in paths))
    return ExitCode.OK


def _inputs(context: Context) -> list[Path]:
    """Return the lock, the settings, and the files that would be the settings if they existed."""
    settings = context.project.settings
    nearer = list(
        takewhile(lambda path: path != settings.file, places(context.directory.resolve()))
    )
    return [*nearer, *filter(None, [settings.file]), settings.lock]


COMMAND = Command("cmake", "print the folder of the CMake package TargetTag", run, ARGUMENTS)
