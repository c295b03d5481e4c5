"""`ttag baseline`: the fewest targets that run on several machines."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import Any

from ttag.canonical_json import canonical
from ttag.cli.command import Argument, Command, Context
from ttag.cli.console import BOLD, Console
from ttag.cli.runs_on import SOURCES, read_sides
from ttag.errors import ExitCode, NotUsable
from ttag.judging import Side, newest_tables
from ttag.registry.registry import Registry
from ttag.responses.values import read
from ttag_rules.compatibility.baseline.baseline import (
    MAX_BUILDS,
    Baseline,
    TooFewBuilds,
    UnusableMachines,
    baseline,
)
from ttag_rules.compatibility.feature_names import features_text, first_names

Answer = dict[str, Any]

EXPECTED = "a baseline"
NOT_OPTIMAL = "note: other builds may lose less; not all were compared."
COMPILERS = ("clang", "iree", "tvm")
MAX_NAMES = 4  # of machines in a line; --json names all


def _builds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:4]) <= MAX_BUILDS:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_BUILDS}")
    return int(text)


ARGUMENTS = (
    Argument(
        "machines",
        nargs="+",
        metavar="REF",
        help="references, ./FILE with a body, or this: the machine here",
    ),
    Argument(
        "--builds",
        type=_builds,
        default=1,
        metavar="N",
        help=f"how many targets may be made, at most {MAX_BUILDS} (default: 1)",
    ),
    Argument(
        "--compiler",
        choices=COMPILERS,
        default="",
        help="only targets that this compiler can be told, which a registry is asked about",
    ),
    *SOURCES,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print targets, of which each machine runs one, and what the machines lose."""
    sides = read_sides(arguments.machines, arguments, context)
    console = context.console
    if arguments.compiler:
        registry = _registry(sides, arguments, context)
        request = {
            "machines": [side.exact for side in sides],
            "builds": arguments.builds,
            "compiler": arguments.compiler,
        }
        answer: Answer = registry.post("/baseline", request, write=False)
        lines, notes = read(lambda each: _text(each, console), answer, registry.source, EXPECTED)
    else:
        answer = _compute(sides, arguments)
        lines, notes = _text(answer, console)
    if console.json:
        console.value(answer)
        return ExitCode.OK
    for line in lines:
        console.line(line)
    for note in notes:
        console.note(note)
    return ExitCode.OK


def _registry(sides: Sequence[Side], arguments: Namespace, context: Context) -> Registry:
    """Return the registry that has all machines: it alone knows what compilers can be told."""
    project = context.project.offline() if arguments.offline else context.project
    addresses = {project.address_of(side.exact) if side.exact else "" for side in sides}
    if len(addresses) != 1 or "" in addresses:
        raise NotUsable("A registry is asked about a compiler: it needs references, all of its own")
    return project.registry(addresses.pop())


def _compute(sides: Sequence[Side], arguments: Namespace) -> Answer:
    names = [side.exact or text for side, text in zip(sides, arguments.machines, strict=True)]
    targets = [side.target for side in sides]
    try:
        result = baseline(targets, arguments.builds, tables=newest_tables(*sides))
    except UnusableMachines as unusable:
        problems = [f"{names[each.index]}: {each}" for each in unusable.problems]
        raise NotUsable(" ".join(problems)) from None
    except TooFewBuilds as problem:
        raise NotUsable(f"{problem} Use --builds {problem.needed}.") from None
    return _as_json(result, names)


def _text(answer: Answer, console: Console) -> tuple[list[str], list[str]]:
    """Return the lines and notes about an answer of the API, or one that was computed here."""
    lines: list[str] = []
    for build in answer["builds"]:
        machines = build["machines"]
        lines.append(console.styled(BOLD, canonical(build["target"]).decode()))
        lines.append(f"  for {first_names(machines, MAX_NAMES)}")
        for loss in build["losses"]:
            losers = len(loss["machines"])
            lines.append(f"  without {loss['text']} on {losers} of {len(machines)} machines")
        if nearest := [tag["reference"] for tag in build.get("nearest", ())]:
            lines.append(f"  nearest: {first_names(nearest, MAX_NAMES)}")
    notes = [] if answer["optimal"] else [NOT_OPTIMAL]
    uncompared = sum(int(build.get("uncompared", 0)) for build in answer["builds"])
    if uncompared:
        notes.append(f"note: tags not compared, which may come as near: {uncompared}.")
    return lines, notes


def _as_json(result: Baseline, names: Sequence[str]) -> Answer:
    """Return the members that the registry's API has, but for the nearest tags."""
    return {
        "builds": [
            {
                "target": build.target,
                "machines": [names[index] for index in build.machines],
                "losses": [
                    {
                        "text": features_text(features),
                        "features": features,
                        "machines": [names[index] for index in losers],
                    }
                    for features, losers in build.shared_losses()
                ],
            }
            for build in result.builds
        ],
        "loss": result.loss,
        "optimal": result.is_optimal,
    }


COMMAND = Command("baseline", "the largest target that runs on several machines", run, ARGUMENTS)
