"""`ttag show`: what a tag is."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from ttag.cli.command import REFERENCE, Command, Context
from ttag.cli.console import BOLD, YELLOW, Console
from ttag.cli.tables import compact, print_table
from ttag.errors import ExitCode
from ttag.resolution import Resolution
from ttag.responses.description import Description, Node
from ttag.responses.tags import TagDetails
from ttag.units import facts_with_units

IDENTIFYING = ("arch", "mcpu", "mtriple", "codegen")  # options that say what a node is


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print what a reference is: its target, its versions, its lints and hardware facts."""
    console = context.console
    console.progress(f"Reading {arguments.reference}")
    registry = context.project.registry_of(arguments.reference)
    description = registry.describe(arguments.reference)
    if console.json:
        console.value(description.as_json())
    else:
        _print(description, console)
    return ExitCode.OK


def _print(description: Description, console: Console) -> None:
    resolution, details = description.resolution, description.details
    title = resolution.exact if resolution else details.tag
    status = resolution.status if resolution else details.status
    console.line(console.styled(BOLD, title) + ("" if status == "active" else f"  {status}"))
    if details.description:
        console.line(details.description)
    rows = [*_target_rows(description), *_version_rows(details, resolution)]
    _section("", rows, console)
    _section("Hardware", list(facts_with_units(description.hardware)), console)
    for lint in description.lints:
        console.line(console.styled(YELLOW, "doubtful: ") + str(lint))
    for warning in resolution.warnings if resolution else ():
        console.line(console.styled(YELLOW, "warning: ") + warning.message)


def _section(title: str, rows: list[tuple[str, str]], console: Console) -> None:
    if not rows:
        return
    console.line()
    if title:
        console.line(console.styled(BOLD, title))
    print_table(rows, console, has_header=False)


def _target_rows(description: Description) -> Iterator[tuple[str, str]]:
    for node in description.nodes:
        yield f"{node.role} {node.pointer}".strip(), _summary(node)
    target = description.resolution.target if description.resolution else {}
    for name in ("keys", "libs", "executor", "runtime", "flow"):
        if name in target:
            yield name, _words(target[name])


def _version_rows(details: TagDetails, resolution: Resolution | None) -> Iterator[tuple[str, str]]:
    newest = details.newest
    yield (
        "versions",
        f"{details.versions}, " + (f"the newest is {newest.version}" if newest else "all yanked"),
    )
    if newest and newest.message and resolution and resolution.version == newest.version:
        yield "message", newest.message
    if details.aliases:
        yield "aliases", ", ".join(details.aliases)
    if details.deprecated:
        successor = f"; use {details.successor}" if details.successor else ""
        yield "deprecated", details.deprecated + successor
    if resolution:
        yield "made from", ", ".join(resolution.lineage) or "nothing else"
        yield "published", resolution.published
        yield "digest", resolution.digest
        yield "build key", resolution.build_key or "none"


def _summary(node: Node) -> str:
    """Return the kind of a node and the options that say what it is."""
    options = (compact(node.target[name]) for name in IDENTIFYING if name in node.target)
    return ", ".join([node.kind or "mixin", *options])


def _words(value: Any) -> str:
    """Return a list or an object as words, such as `aot unpacked-api=true`."""
    if isinstance(value, list):
        return ", ".join(map(compact, value))
    if not isinstance(value, dict):
        return compact(value)
    rest = (f"{name}={compact(item)}" for name, item in value.items() if name != "kind")
    return " ".join([*([compact(value["kind"])] if "kind" in value else []), *rest])


COMMAND = Command("show", "show what a tag is", run, (REFERENCE,))
