"""`ttag runs-on`: whether code that was built for one target runs on a machine."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from typing import TypeVar

from ttag.cli.command import ALLOW_UNSAFE, Argument, Command, Context
from ttag.cli.console import BOLD, GREEN, RED, YELLOW, Console
from ttag.cli.tables import print_table
from ttag.errors import ExitCode, NotUsable
from ttag.judging import Judgement, Side, judge, read_compiler, read_forms, read_version
from ttag.running import read_side
from ttag_rules.compatibility.options import Compiler, Options
from ttag_rules.compatibility.verdicts import Answer

R = TypeVar("R")
EXIT_CODES = {
    Answer.YES: ExitCode.OK,
    Answer.NO: ExitCode.CHANGED,
    Answer.CONDITIONAL: ExitCode.CONDITIONAL,
    Answer.UNKNOWN: ExitCode.UNKNOWN,
}
STYLES = {
    Answer.YES: GREEN,
    Answer.NO: RED,
    Answer.CONDITIONAL: YELLOW,
    Answer.UNKNOWN: YELLOW,
}


def _checked(read: Callable[[str], R]) -> Callable[[str], R]:
    """Return a function whose errors are those of the command line."""

    def convert(text: str) -> R:
        try:
            return read(text)
        except NotUsable as error:
            raise ArgumentTypeError(error.message) from None

    return convert


_version = _checked(read_version)


OPTIONS = (
    Argument(
        "--ships",
        type=_checked(lambda text: read_forms(text.split(","))),
        default=frozenset(),
        metavar="FORMS",
        help="forms of device code in the file: cubin, ptx, or both with a comma",
    ),
    Argument("--toolkit", type=_version, default="", help="the version of CUDA that compiled it"),
    Argument("--driver", type=_version, default="", help="the version of the NVIDIA driver"),
    Argument(
        "--strict",
        action="store_true",
        help="the code uses AES and other guarded instructions without a check",
    ),
    Argument(
        "--compiler",
        type=_checked(read_compiler),
        metavar="NAME",
        help=f"what compiled code that states no processor: {', '.join(Compiler)}",
    ),
)
SOURCES = (  # of the targets
    Argument("--offline", action="store_true", help="use locks, caches and mirrors, no network"),
    Argument("--locked", action="store_true", help="fail if targets.lock does not hold one"),
    ALLOW_UNSAFE,
)
ARGUMENTS = (
    Argument("built_for", metavar="REF", help="what the code was built for; or ./FILE with a body"),
    Argument(
        "machine", metavar="MACHINE", help="a reference, ./FILE with a body, or this: the one here"
    ),
    *OPTIONS,
    *SOURCES,
)


def options_of(arguments: Namespace) -> Options:
    """Return what the command line says of the build and the machine."""
    versions = arguments.toolkit, arguments.driver
    return Options(arguments.ships, *versions, arguments.strict, arguments.compiler)


def read_sides(texts: Sequence[str], arguments: Namespace, context: Context) -> list[Side]:
    """Return targets from where the command line allows. Raises `TtagError`."""
    project = context.project.locked_only() if arguments.locked else context.project
    if arguments.offline:
        project = project.offline()
    progress = context.console.progress
    return [read_side(text, project, context.directory, progress) for text in texts]


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the verdict and its reasons; the exit code is that of the verdict."""
    built_for, machine = read_sides([arguments.built_for, arguments.machine], arguments, context)
    judgement = judge(built_for, machine, options_of(arguments))
    if context.console.json:
        context.console.value(judgement.as_json())
    else:
        _print(judgement, context.console)
    return EXIT_CODES[judgement.verdict.answer]


def _print(judgement: Judgement, console: Console) -> None:
    verdict = judgement.verdict
    answer = console.styled(STYLES[verdict.answer], f"{verdict.answer}:")
    console.line(f"{console.styled(BOLD, answer)} {verdict.reason}")
    for condition in verdict.conditions:
        version = f"{condition.at_least} or later" if condition.at_least else ""
        words = filter(None, (condition.name, condition.value, version))
        console.line(f"  needs {' '.join(words)}")  # driver 570.26 or later
    rows = [(f"  {each.dimension}", each.answer, each.reason) for each in verdict.findings]
    print_table(rows, console, has_header=False)


COMMAND = Command("runs-on", "whether code built for one target runs on a machine", run, ARGUMENTS)
