"""`ttag identify`: what a text describes, and the tags of it."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ttag.cli.command import Argument, Command, Context
from ttag.errors import ExitCode, FileError, SettingsError
from ttag.files import read_file
from ttag.probe.collecting import SERIAL, ToolFailed, outputs_in, run_tool
from ttag.responses.identification import Identification, Reading
from ttag_rules.echo import shorten
from ttag_rules.probe.body import describe
from ttag_rules.probe.outputs import clean

MAX_TEXT = 512 * 1024  # bytes, as the registry limits them
MAX_QUOTED = 60  # characters of the text that a line repeats
STATED = {"text": "", "inferred": "inferred from ", "ambiguous": "one of several, by "}

ARGUMENTS = (
    Argument("file", nargs="?", metavar="FILE", help="the text; - or none: standard input"),
    Argument(
        "--run",
        dest="tool",
        default="",
        metavar="COMMAND",
        help="identify what this command prints, instead",
    ),
    Argument(
        "--offline",
        action="store_true",
        help="ask no registry: read only what ttag probe can, without tags",
    ),
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the machines that a text describes; it is no error if there are none."""
    text = SERIAL.sub(r"\1removed", _text(arguments, context))
    if arguments.offline:
        return _describe_offline(text, context)
    context.console.progress("Identifying")
    identification = context.project.registry().identify(text)
    if context.console.json:
        context.console.value(asdict(identification))
    else:
        _print(identification, text, context)
    return ExitCode.OK


def _text(arguments: Namespace, context: Context) -> str:
    """Return the text of a file, of a command or of standard input, without control characters."""
    if arguments.tool:
        if arguments.file is not None:
            raise SettingsError("--run and FILE are two texts: state one.")
        try:
            return run_tool(tuple(shlex.split(arguments.tool)), context.console.environment)
        except (ToolFailed, ValueError, IndexError) as error:
            raise SettingsError(f"{arguments.tool}: {error}.") from error
    if arguments.file in (None, "-"):
        data = context.console.input.read(MAX_TEXT + 1).encode(errors="replace")
    else:
        data = read_file(context.directory / Path(arguments.file))
    if len(data) > MAX_TEXT:
        message = f"The text has more than {MAX_TEXT} bytes, which is the most that is read."
        raise FileError(message)
    return clean(data)


def _describe_offline(text: str, context: Context) -> ExitCode:
    description = describe(outputs_in(text))
    if context.console.json:
        body = description.body if description else None
        unknown = [asdict(each) for each in description.unknown] if description else []
        context.console.value({"body": body, "unknown": unknown})
    elif description:
        context.console.value(description.body)
        for each in description.unknown:
            context.console.note(f"not learned: {each.what} ({each.remedy})")
    else:
        context.console.note("The probe reads nothing in this text; a registry reads more.")
    return ExitCode.OK


def _print(identification: Identification, text: str, context: Context) -> None:
    console = context.console
    for number, reading in enumerate(identification.readings, 1):
        for line in _reading_lines(number, reading, text, context):
            console.line(line)
    if not identification.readings:
        forms = ", ".join(dict.fromkeys(each.form for each in identification.recognised))
        found = f" It was recognised as {forms}." if forms else ""
        console.note(f"The text describes no machine that the registry can name.{found}")
    for each in identification.ignored:
        console.note(f"ignored: {_quoted(each.text)} {each.reason}")


def _reading_lines(number: int, reading: Reading, text: str, context: Context) -> Iterator[str]:
    """Yield a reading: its tags with what differs, then each value with where the text says it."""
    if reading.search:
        yield f"{number}. a list of tags: {context.project.registry().address}/?{reading.search}"
    elif reading.tags:
        yield f"{number}. {reading.tags[0].relation}: {reading.tags[0].reference}"
    else:
        yield f"{number}. no tag"
    for tag in reading.tags[1:]:
        yield f"   {tag.relation}: {tag.reference}"
    for tag in reading.tags:
        for each in tag.differences:
            option, of_tag, of_text = each.pointer[1:], _stated(each.tag), _stated(each.text)
            yield f"   differs: {option} is {of_tag} in {tag.reference}, here {of_text}"
    for fact in reading.facts:
        value = _value(reading.body, fact.pointer)
        place = STATED.get(fact.stated, "") + _quoted(text[fact.start : fact.end])
        yield f"   {fact.pointer[1:]}{value}  ({place})"
    for note in reading.notes:
        yield f"   note: {note}"


def _value(body: Any, pointer: str) -> str:
    for token in pointer.split("/")[1:]:
        if not isinstance(body, dict) or token not in body:
            return ""
        body = body[token]
    return f" = {_stated(body)}"


def _stated(value: Any) -> str:
    if value is None:
        return "nothing"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _quoted(text: str) -> str:
    return f'"{shorten(" ".join(text.split()), MAX_QUOTED)}"'


COMMAND = Command("identify", "find out which machine a text describes", run, ARGUMENTS)
