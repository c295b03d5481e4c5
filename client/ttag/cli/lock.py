"""`ttag lock`: targets.lock, which a build resolves without a network."""

from __future__ import annotations

from argparse import Namespace

from ttag.cli.command import ALLOW_UNSAFE, Argument, Command, Context
from ttag.errors import ExitCode
from ttag.lock.locking import LockChanges, lock_targets

ARGUMENTS = (
    Argument(
        "references",
        nargs="*",
        metavar="REF",
        help="references to add, or to fetch again at their locked version; without any, the lock "
        "follows `targets` of the settings",
    ),
    Argument(
        "--format",
        action="append",
        default=[],
        dest="formats",
        metavar="F",
        help="lock the text of this format too; may be repeated",
    ),
    Argument("--strict", action="store_true", help="fail if a format has to leave something out"),
    Argument(
        "--accept-log",
        action="store_true",
        help="record the logs that the registries show now, even if they do not continue those "
        "that the lock has seen",
    ),
    ALLOW_UNSAFE,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Write the lock and report what has changed."""
    changes = lock_targets(
        context.project,
        arguments.references,
        formats=arguments.formats,
        strict=arguments.strict,
        accept_log=arguments.accept_log,
    )
    if context.console.json:
        context.console.value(_as_json(changes))
    else:
        _print(changes, context)
    _mention_settings(arguments.references, context)
    return ExitCode.OK


def _print(changes: LockChanges, context: Context) -> None:
    for reference in changes.added:
        context.console.line(f"added {_described(changes, reference)}")
    for reference in changes.changed:
        context.console.line(f"changed {_described(changes, reference)}")
    for reference in changes.removed:
        context.console.line(f"removed {reference}")
    count = len(changes.targets)
    targets = "1 target" if count == 1 else f"{count} targets"
    context.console.note(f"{context.project.settings.lock.name} holds {targets}.")


def _described(changes: LockChanges, reference: str) -> str:
    target = changes.targets[reference]
    forms = ", ".join(sorted(target.exports))
    return f"{reference} at {target.resolution.exact}" + (f" as {forms}" if forms else "")


def _mention_settings(references: list[str], context: Context) -> None:
    """Say that the settings do not name what was locked, if they name other targets."""
    settings = context.project.settings
    for reference in references:
        if settings.targets and settings.file and reference not in settings.targets:
            context.console.note(
                f"note: {reference} is not in `targets` of {settings.file.name}; until it is, "
                "`ttag lock` without references removes it, and `ttag check` reports it."
            )


def _as_json(changes: LockChanges) -> dict[str, object]:
    return {
        "targets": [
            {
                "reference": reference,
                "exact": target.resolution.exact,
                "digest": target.resolution.digest,
                "registry": target.registry,
                "formats": sorted(target.exports),
            }
            for reference, target in changes.targets.items()
        ],
        "added": list(changes.added),
        "changed": list(changes.changed),
        "removed": list(changes.removed),
    }


COMMAND = Command("lock", "write targets.lock, to build without a network", run, ARGUMENTS)
