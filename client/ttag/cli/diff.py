"""`ttag diff`: what distinguishes two targets, and what that means for a build."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from dataclasses import asdict

from ttag.cli.command import Argument, Command, Context
from ttag.cli.console import BOLD, Console
from ttag.cli.tables import print_changes
from ttag.errors import ExitCode, SettingsError
from ttag.project import Project
from ttag.registry.registry import Registry
from ttag.responses.changes import Difference, LeafKey

ARGUMENTS = (
    Argument("old", metavar="OLD", help="a reference, or OLD...NEW"),
    Argument("new", metavar="NEW", nargs="?", default="", help="the other reference"),
    Argument("--exit-code", action="store_true", help="return 1 if there are differences"),
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the bump, the differences, and which tuning records are kept."""
    old, new = _sides(arguments.old, arguments.new)
    difference = _registry(context.project, old, new).diff(old, new)
    if context.console.json:
        context.console.value(asdict(difference))
    else:
        _print(difference, context.console)
    return ExitCode.CHANGED if arguments.exit_code and difference.bump else ExitCode.OK


def _sides(old: str, new: str) -> tuple[str, str]:
    if new:
        return old, new
    old, separator, new = old.partition("...")
    if not separator:
        raise SettingsError(f"{old} is one reference: expected OLD NEW or OLD...NEW.")
    return old, new


def _registry(project: Project, old: str, new: str) -> Registry:
    """Return the registry that has both references."""
    one, other = project.registry_of(old), project.registry_of(new)
    if one.address != other.address:
        raise SettingsError(
            f"{old} and {new} are in different registries, {one.address} and {other.address}."
        )
    return one


def _print(difference: Difference, console: Console) -> None:
    bump = difference.bump or "no difference"
    console.line(console.styled(BOLD, f"{difference.old} -> {difference.new}: {bump}"))
    print_changes(difference.changes, console)
    console.line(
        "Build: both compile to the same code."
        if difference.same_build
        else "Build: compile again."
    )
    for sentence, keys in (
        ("Tuning records still apply", difference.kept),
        ("Tuning records are lost", difference.lost),
        ("Tuning records do not exist yet", difference.added),
    ):
        if keys:
            console.line(f"{sentence}: {_leaves(keys)}.")


def _leaves(keys: Iterable[LeafKey]) -> str:
    """Return the leaves of keys by their pointers."""
    pointers = [pointer for key in keys for pointer in (key.new or key.old)]
    return ", ".join(pointer or "the root" for pointer in pointers)


COMMAND = Command("diff", "compare two targets, and say what changes for a build", run, ARGUMENTS)
