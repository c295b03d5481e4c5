"""`ttag probe`: this machine as a body, what is unknown about it, and the nearest tags."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ttag.cli.command import Argument, Command, Context
from ttag.errors import ExitCode, Refused, TtagError
from ttag.probe import Description, describe
from ttag.probe.collecting import collect, read_recording, record
from ttag.probe.nearest import Difference, Near, find_nearest
from ttag_rules.probe.outputs import SOURCES

MAX_NEAR = 6  # the registry names five, and a search for the model one


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text[:4]) <= MAX_NEAR:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to {MAX_NEAR}")
    return int(text)


ARGUMENTS = (
    Argument(
        "--from",
        dest="recording",
        type=Path,
        metavar="DIR",
        help="describe the machine whose outputs are recorded in this folder",
    ),
    Argument("--record", type=Path, metavar="DIR", help="also write the outputs to this folder"),
    Argument(
        "--near",
        type=_count,
        default=3,
        metavar="N",
        help=f"how many near tags to list, at most {MAX_NEAR} for each part (default: 3)",
    ),
    Argument("--no-near", dest="near", action="store_const", const=0, help="ask no registry"),
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Describe a machine; compare it with a registry where one can be reached."""
    if arguments.recording:
        outputs = read_recording(context.directory / arguments.recording)
    else:
        outputs = collect(context.console.progress, context.console.environment)
    if arguments.record:
        record(outputs, context.directory / arguments.record)
    description = describe(outputs)
    if context.console.json:
        return _write_json(description, arguments.near, context)
    context.console.value(description.body)
    _explain(description, context)
    near, code = _nearest(description, arguments.near, context)
    if near is not None:
        _list(near, context)
    return code


def _write_json(description: Description, limit: int, context: Context) -> ExitCode:
    near, code = _nearest(description, limit, context)
    context.console.value(
        {
            "body": description.body,
            "sources": description.sources,
            "unknown": [asdict(unknown) for unknown in description.unknown],
            "near": None if near is None else [asdict(each) for each in near],
        }
    )
    return code


def _nearest(
    description: Description, limit: int, context: Context
) -> tuple[Sequence[Near] | None, ExitCode]:
    """Return the near tags, or nothing where no registry answers, which is not an error."""
    if not limit:
        return None, ExitCode.OK
    context.console.progress("asking the registry for near tags")
    try:
        return find_nearest(context.project.registry(), description.body, limit), ExitCode.OK
    except TtagError as error:
        if isinstance(error, Refused) and error.faults:  # of the body; others are of the request
            context.console.error(str(error))
            return None, error.exit_code
        context.console.warn(f"No near tags: {error}")
        return None, ExitCode.OK


def _explain(description: Description, context: Context) -> None:
    console = context.console
    console.note("learned:")
    tools = {source.name: source.tool for source in SOURCES}
    for name, facts in description.sources.items():
        console.note(f"  {tools[name]}: {'; '.join(facts)}")
    if description.unknown:
        console.note("not learned:")
    for unknown in description.unknown:
        console.note(f"  {unknown.what} ({unknown.remedy})")


def _list(near: Sequence[Near], context: Context) -> None:
    """List near tags in columns: the part, the tag, and what differs."""
    if not near:
        context.console.note("no tag of the registry is near")
        return
    context.console.note("nearest tags, with what differs from tag to machine:")
    parts = max(len(each.part) for each in near)
    references = max(len(each.reference) for each in near)
    for each in near:
        differences = "; ".join(map(_sentence, each.differences)) or "the same target"
        context.console.note(f"  {each.part:{parts}}  {each.reference:{references}}  {differences}")


def _sentence(difference: Difference) -> str:
    return f"{difference.pointer[1:]}: {_text(difference.old)} → {_text(difference.new)}"


def _text(value: Any) -> str:
    if value is None:
        return "absent"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


COMMAND = Command(
    "probe", "describe this machine as a body, and list the nearest tags", run, ARGUMENTS
)
