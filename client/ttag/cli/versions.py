"""`ttag versions`: the history of a tag."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from ttag.cli.command import TAG, Command, Context
from ttag.cli.tables import print_table
from ttag.errors import ExitCode
from ttag.responses.tags import VersionSummary

HEADER = ("VERSION", "PUBLISHED", "BY", "STATUS", "MESSAGE")


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print all versions, the highest number first."""
    console = context.console
    console.progress(f"Reading the versions of {arguments.tag}")
    versions = context.project.registry_of(arguments.tag).versions(arguments.tag)
    if console.json:
        console.value([asdict(version) for version in versions])
        return ExitCode.OK
    print_table([HEADER, *map(_row, versions)], console, has_header=True)
    return ExitCode.OK


def _row(version: VersionSummary) -> tuple[str, ...]:
    message = f"yanked: {version.yanked}" if version.yanked else version.message
    author = version.author or version.publisher
    return (version.version, version.published[:10], author, version.status, message)


COMMAND = Command("versions", "list the versions of a tag", run, (TAG,))
