"""`ttag publish`: the next version of a tag."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from ttag.cli import submission
from ttag.cli.command import Argument, Command, Context
from ttag.errors import ExitCode
from ttag.registry.registry import Registry

ARGUMENTS = (
    *submission.ARGUMENTS,
    Argument("--family", action="store_true", default=None, help="mark the tag as a family"),
)


# Decision 089: the body that is sent is the one whose effect was shown.
def run(arguments: Namespace, context: Context) -> ExitCode:
    """Show what a body would change, ask, and publish it."""
    draft = submission.prepare(arguments, context, family=arguments.family)

    def publish(registry: Registry) -> tuple[dict[str, Any], str]:
        version = registry.publish(
            draft.tag,
            draft.verdict.body,
            base=draft.base,
            message=arguments.message,
            sources=arguments.source,
            family=arguments.family,
        )
        return version.as_json(), f"Published {version.exact}, {version.digest}."

    return submission.send(arguments, context, draft, "publish", publish)


COMMAND = Command("publish", "publish a body as the next version of a tag", run, ARGUMENTS)
