"""`ttag mirror`: a registry as plain files."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ttag.cli.arguments import ALLOW_UNSAFE, Argument
from ttag.cli.command import Command, Context
from ttag.errors import ExitCode, SettingsError
from ttag.mirror.mirroring import write_mirror
from ttag.project import Project
from ttag.references import Reference
from ttag.registry.registry import Registry

ARGUMENTS = (
    Argument("directory", type=Path, metavar="DIR", help="empty, or an older mirror"),
    Argument(
        "--namespace",
        action="extend",
        nargs="+",
        default=[],
        metavar="NS",
        dest="namespaces",
        help="only these namespaces (default: all of the registry)",
    ),
    Argument(
        "--format",
        action="extend",
        nargs="+",
        default=[],
        metavar="FORMAT",
        dest="formats",
        help="formats to write besides json and target, such as tvm clang",
    ),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Write the mirror, and say what has changed in it."""
    console = context.console
    root = context.directory / arguments.directory
    summary = write_mirror(
        _registry(context.project, arguments.namespaces),
        root,
        namespaces=arguments.namespaces,
        formats=arguments.formats,
        progress=console.progress,
    )
    if console.json:
        console.value({"address": root.resolve().as_uri(), **asdict(summary)})
    else:
        console.line(
            f"{summary.tags} tags with {summary.versions} versions and {summary.aliases} aliases, "
            f"as of event {summary.event}: {summary.written} files written, "
            f"{summary.removed} removed."
        )
        console.note(f"The mirror has the address {root.resolve().as_uri()}")
    return ExitCode.OK


def _registry(project: Project, namespaces: Sequence[str]) -> Registry:
    """Return the registry that the namespaces belong to. Raises `SettingsError` for several."""
    settings = project.settings
    addresses = sorted({settings.registry_of(Reference(f"{each}/")) for each in namespaces})
    if len(addresses) > 1:
        raise SettingsError(
            f"A mirror has one registry, but these namespaces belong to {' and '.join(addresses)}."
        )
    return project.registry(*addresses)


COMMAND = Command("mirror", "copy a registry into a folder of plain files", run, ARGUMENTS)
