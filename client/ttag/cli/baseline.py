"""`ttag baseline`: the fewest targets that run on several machines."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import Any

from ttag.canonical_json import canonical
from ttag.cli.arguments import Argument
from ttag.cli.command import Command, Context
from ttag.cli.console import BOLD, Console
from ttag.cli.runs_on import SOURCES, read_sides
from ttag.compatibility.baseline.baseline import (
    MAX_BUILDS,
    Baseline,
    TooFewBuilds,
    UnusableMachines,
    baseline,
)
from ttag.compatibility.feature_names import features_text, first_names
from ttag.errors import ExitCode, NotUsable
from ttag.judging import newest_tables

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
    *SOURCES,
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print targets, of which each machine runs one, and what the machines lose."""
    sides = read_sides(arguments.machines, arguments, context)
    names = [side.exact or text for side, text in zip(sides, arguments.machines, strict=True)]
    try:
        targets = [side.target for side in sides]
        result = baseline(targets, arguments.builds, tables=newest_tables(*sides))
    except UnusableMachines as unusable:
        problems = [f"{names[each.index]}: {each}" for each in unusable.problems]
        raise NotUsable(" ".join(problems)) from None
    except TooFewBuilds as problem:
        raise NotUsable(f"{problem} Use --builds {problem.needed}.") from None
    if context.console.json:
        context.console.value(_as_json(result, names))
    else:
        _print(result, names, context.console)
    return ExitCode.OK


def _print(result: Baseline, names: Sequence[str], console: Console) -> None:
    for build in result.builds:
        console.line(console.styled(BOLD, canonical(build.target).decode()))
        machines = [names[index] for index in build.machines]
        console.line(f"  for {first_names(machines, MAX_NAMES)}")
        for features, losers in build.shared_losses():
            text = features_text(features)
            console.line(f"  without {text} on {len(losers)} of {len(build.machines)} machines")
    if not result.is_optimal:
        console.note("note: other builds may lose less; not all were compared.")


def _as_json(result: Baseline, names: Sequence[str]) -> dict[str, Any]:
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
