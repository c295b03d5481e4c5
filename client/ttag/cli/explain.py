"""`ttag explain`: where each value of a target comes from."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from ttag.cli.command import REFERENCE, Command, Context
from ttag.cli.console import BOLD
from ttag.cli.tables import compact, print_table
from ttag.errors import ExitCode


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print each value with the version that set it."""
    console = context.console
    explanation = context.project.registry_of(arguments.reference).explain(arguments.reference)
    if console.json:
        console.value(asdict(explanation))
        return ExitCode.OK
    console.line(console.styled(BOLD, explanation.reference))
    rows = [(value.pointer, value.set_by, compact(value.value)) for value in explanation.values]
    print_table(rows, console, has_header=False)
    return ExitCode.OK


COMMAND = Command("explain", "show which version set each value of a target", run, (REFERENCE,))
