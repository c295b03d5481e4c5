"""`ttag complete`, which the shell calls by the script of `ttag completion`."""

from __future__ import annotations

from argparse import Action, Namespace
from collections.abc import Iterable, Sequence

from ttag.cli.command import Argument, Command, Context
from ttag.cli.names import ReferenceNames
from ttag.cli.parser import Parser
from ttag.errors import ExitCode
from ttag.resolution import VERIFIED
from ttag.running import THIS
from ttag.texts import CHECKS

FORMATS = sorted({*CHECKS, *VERIFIED})
MACHINE = "MACHINE"  # a reference, or the machine at hand
# Placeholders of arguments that name tags.
REFERENCES = frozenset({"REF", "TAG", "OLD", "NEW", MACHINE})


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print what may stand at the end of a command line, one candidate on each line."""
    parser: Parser = arguments.parser
    for candidate in candidates(arguments.line, parser, ReferenceNames(context.project)):
        context.console.line(candidate)
    return ExitCode.OK


def candidates(line: str, parser: Parser, names: ReferenceNames) -> list[str]:
    """Return what may stand for the last word of a command line, which begins with `ttag`."""
    _, *words = line.split()
    if not words or line[-1].isspace():
        words.append("")
    *earlier, word = words
    for each in earlier:
        parser = parser.commands.get(each, parser)
    if parser.commands:
        return _matching(word, [*parser.described_commands, *parser.options])
    return _of_command(parser, earlier, word, names)


def _of_command(
    parser: Parser, earlier: Sequence[str], word: str, names: ReferenceNames
) -> list[str]:
    option, separator, value = word.partition("=")
    if separator and (action := parser.action_of(option)):
        values = _matching(value, _values(action, value, names))
        return [f"{option}={each}" for each in values]
    if word.startswith("-"):
        return _matching(word, parser.options)
    action = parser.action_of(earlier[-1])
    if action is None or action.nargs == 0:
        action = next((each for each in parser.positionals if each.metavar in REFERENCES), None)
        if action is None:
            return _matching(word, [name for each in parser.positionals for name in _choices(each)])
    return _matching(word, _values(action, word, names))


def _values(action: Action, prefix: str, names: ReferenceNames) -> Iterable[str]:
    """Return the values of an argument."""
    if action.metavar in REFERENCES:
        machines = [THIS] if action.metavar == MACHINE else []
        return [*machines, *names.references(prefix)]
    if action.dest == "namespace":
        return names.namespaces()
    return _choices(action) or (FORMATS if action.dest in {"format", "formats"} else ())


def _choices(action: Action) -> list[str]:
    return list(map(str, action.choices or ()))


def _matching(prefix: str, words: Iterable[str]) -> list[str]:
    return sorted({word for word in words if word.startswith(prefix)})


COMMAND = Command(
    "complete", "", run, (Argument("line", help="the command line up to the cursor"),)
)
