"""`ttag propose`: a body for review by the curators of a namespace."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from ttag.cli import submission
from ttag.cli.command import Command, Context
from ttag.errors import ExitCode


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Show what a body would change, ask, and submit it for review."""
    console = context.console
    draft = submission.prepare(arguments, context)
    result = submission.verdict_json(draft) | {"proposed": None}
    if not draft.verdict.version:
        console.note(f"{draft.tag}@{draft.base} is the same already; there is nothing to propose.")
    elif not arguments.dry_run:
        registry = context.project.authorized(draft.registry, draft.tag, "propose")
        if not submission.is_confirmed(arguments, console, f"Propose {draft.exact}?"):
            console.note("Nothing was proposed.")
            return ExitCode.CHANGED
        console.progress(f"Proposing {draft.exact}")
        proposal = registry.propose(
            draft.tag,
            draft.verdict.body,
            base=draft.base,
            message=arguments.message,
            sources=arguments.source,
        )
        result["proposed"] = asdict(proposal)
        if not console.json:
            page = f"{draft.registry.address}{proposal.page}"
            console.line(f"Proposal {proposal.number} is {proposal.state}: {page}")
    if console.json:
        console.value(result)
    return ExitCode.OK


COMMAND = Command("propose", "submit a body for review by curators", submission.configure, run)
