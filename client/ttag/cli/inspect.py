"""`ttag inspect`: what a program, library or wheel was built for."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from ttag.cli.command import Argument, Command, Context
from ttag.cli.console import BOLD, Console
from ttag.cli.runs_on import EXIT_CODES, OPTIONS, STYLES, options_of
from ttag.errors import ExitCode, SettingsError
from ttag.inspect.inspecting import inspect
from ttag.inspect.programs import TITLES, Inspection, Program
from ttag.inspect.running import PartVerdict, answer_of, part_verdicts
from ttag.running import read_side
from ttag_rules.compatibility.feature_names import first_names
from ttag_rules.compatibility.versions import version_key

MAX_PLACES = 3  # files that a line names; --json names all

ARGUMENTS = (
    Argument("file", type=Path, metavar="FILE", help="a program, library, cubin, or a wheel"),
    Argument(
        "--on",
        default="",
        metavar="MACHINE",
        help="whether it runs on a reference, ./FILE with a body, or this: the machine here",
    ),
    *OPTIONS,
)

ASKED_WITH_ON = ("ships", "toolkit", "driver", "strict", "compiler")


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print what a file was built for, and whether it runs. Nothing in it is executed."""
    console = context.console
    stated = [name for name in ASKED_WITH_ON if getattr(arguments, name)]
    if stated and not arguments.on:
        raise SettingsError(f"--{stated[0]} is about whether it runs: name a machine with --on.")
    inspection = inspect(context.directory / arguments.file)
    parts: list[PartVerdict] = []
    if arguments.on:
        machine = read_side(arguments.on, context.project, context.directory, console.progress)
        parts = part_verdicts(inspection, machine, options_of(arguments))
    if console.json:
        verdicts = [asdict(part) for part in parts] if arguments.on else None
        console.value({**asdict(inspection), "verdicts": verdicts})
    else:
        _print(inspection, console)
        for part in parts:
            answer = console.styled(STYLES[part.answer], f"{part.answer}:")
            console.line(f"{answer} {part.part}: {part.reason}")
    return EXIT_CODES[answer_of(parts)] if arguments.on else ExitCode.OK


def _print(inspection: Inspection, console: Console) -> None:
    for programs in _alike(inspection.programs):
        first = programs[0]
        console.line(console.styled(BOLD, f"{TITLES[first.form]}: {_body_text(first)}"))
        for library, version in _floors(programs).items():
            console.line(f"  needs {library} {version}")
        if not first.is_complete:
            console.line(f"  at least; not stated: {first.unstated}")
        places = [program.place for program in programs]
        console.line(f"  in {first_names(places, MAX_PLACES)}")
    for note in inspection.notes:
        console.note(f"note: {note}")


def _alike(programs: Iterable[Program]) -> Sequence[Sequence[Program]]:
    """Return the programs that were built for the same, together."""
    groups: dict[tuple[str, ...], list[Program]] = {}
    for program in programs:
        key = (program.form, _body_text(program), program.unstated)
        groups.setdefault(key, []).append(program)
    return list(groups.values())


def _body_text(program: Program) -> str:
    options = {name: value for name, value in program.body.items() if name != "kind"}
    return " ".join(
        ",".join(value) if isinstance(value, list) else str(value) for value in options.values()
    )


def _floors(programs: Iterable[Program]) -> dict[str, str]:
    """Return the greatest of the least versions that programs need."""
    floors: dict[str, str] = {}
    for program in programs:
        for library, version in program.floors.items():
            floors[library] = max(floors.get(library, ""), version, key=version_key)
    return floors


COMMAND = Command("inspect", "find out what a program or wheel was built for", run, ARGUMENTS)
