"""`ttag propose`: a body for review by the curators of a namespace."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import Any

from ttag.cli import submission
from ttag.cli.command import Command, Context
from ttag.errors import ExitCode
from ttag.registry.registry import Registry


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Show what a body would change, ask, and submit it for review."""
    draft = submission.prepare(arguments, context)

    def propose(registry: Registry) -> tuple[dict[str, Any], str]:
        proposal = registry.propose(
            draft.tag,
            draft.verdict.body,
            base=draft.base,
            message=arguments.message,
            sources=arguments.source,
        )
        page = f"{draft.registry.address}{proposal.page}"
        return asdict(proposal), f"Proposal {proposal.number} is {proposal.state}: {page}"

    return submission.send(arguments, context, draft, "propose", propose)


COMMAND = Command("propose", "submit a body for review by curators", run, submission.ARGUMENTS)
