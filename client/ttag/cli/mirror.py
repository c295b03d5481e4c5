"""`ttag mirror`: a registry as plain files."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from signal import SIGINT, SIGTERM, signal

from ttag.cli.command import ALLOW_UNSAFE, Argument, Command, Context
from ttag.cli.console import Console
from ttag.errors import ExitCode, SettingsError
from ttag.mirror.following import Follower, Stopped
from ttag.mirror.mirroring import write_mirror
from ttag.project import Project
from ttag.references import Reference
from ttag.registry.registry import Registry

MAX_PORT = 65535


def listening_address(text: str) -> tuple[str, int]:
    """Return the host and the port of an option."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > MAX_PORT:
        raise ArgumentTypeError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:8000")
    return host.strip("[]"), int(port)


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
    Argument(
        "--full",
        action="store_true",
        help="read everything, and repair damaged files, instead of applying events",
    ),
    Argument("--follow", action="store_true", help="stay, and apply events as they come"),
    Argument(
        "--serve",
        type=listening_address,
        metavar="HOST:PORT",
        help="with --follow: answer there as a registry that only resolves",
    ),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Write the mirror, and say what has changed in it."""
    console = context.console
    root = context.directory / arguments.directory
    registry = _registry(context.project, arguments.namespaces)
    if arguments.serve and not arguments.follow:
        raise SettingsError("--serve needs --follow, which keeps the mirror up to date.")
    if arguments.full and arguments.follow:
        raise SettingsError("--full reads everything once: run it without --follow before.")
    if arguments.follow:
        return _follow(registry, root, arguments, context)
    summary = write_mirror(
        registry,
        root,
        namespaces=arguments.namespaces,
        formats=arguments.formats,
        is_full=arguments.full,
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
        if summary.reason:
            console.note(f"Everything was read, because {summary.reason}.")
        console.note(f"The mirror has the address {root.resolve().as_uri()}")
    return ExitCode.OK


def _follow(registry: Registry, root: Path, arguments: Namespace, context: Context) -> ExitCode:
    """Apply events until SIGTERM or SIGINT, with a line for each change.

    A signal that comes before the first look has succeeded gives the exit code of any command that
    it ends.
    """
    console = context.console
    follower = Follower(
        registry,
        root,
        arguments.namespaces,
        arguments.formats,
        report=partial(_report, console),
        warn=console.warn_again,
        progress=console.progress,
    )

    signals = []

    def end(number: int, _frame: object) -> None:
        signals.append(number)
        follower.stop()
        if follower.is_waiting:
            raise Stopped

    old = {number: signal(number, end) for number in (SIGTERM, SIGINT)}
    try:
        if arguments.serve:
            # The library's server takes a tenth of the time in which any other command starts.
            from ttag.mirror.site import Site  # noqa: PLC0415
            from ttag.mirror.site_server import serving  # noqa: PLC0415

            site = Site(follower, arguments.allow_unsafe)
            with serving(site, *arguments.serve) as port:
                console.note(f"The mirror answers at http://{arguments.serve[0]}:{port}")
                follower.run()
        else:
            follower.run()
    except Stopped:
        pass
    finally:
        for number, handler in old.items():
            signal(number, handler)
    if signals and not follower.freshness.confirmed:
        raise SystemExit(128 + signals[0])  # also where a shell in the background ignores SIGINT
    return ExitCode.OK


def _report(console: Console, line: str) -> None:
    """Write a line at once, also into a pipe."""
    if console.json:
        console.text(f"{json.dumps({'change': line})}\n")
    else:
        console.line(line)
    console.out.flush()


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
