"""`ttag publish`: the next version of a tag."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ttag.cli import submission
from ttag.cli.command import Command, Context
from ttag.errors import ExitCode


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    submission.configure(parser)
    parser.add_argument(
        "--family", action="store_true", default=None, help="mark the tag as a family"
    )


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Show what a body would change, ask, and publish it."""
    console = context.console
    draft = submission.prepare(arguments, context, family=arguments.family)
    result = submission.verdict_json(draft) | {"published": None}
    if not draft.verdict.version:
        console.note(f"{draft.tag}@{draft.base} is the same already; there is nothing to publish.")
    elif not arguments.dry_run:
        registry = context.project.authorized(draft.registry, draft.tag, "publish")
        if not submission.is_confirmed(arguments, console, f"Publish {draft.exact}?"):
            console.note("Nothing was published.")
            return ExitCode.CHANGED
        console.progress(f"Publishing {draft.exact}")
        version = registry.publish(
            draft.tag,
            draft.verdict.body,
            base=draft.base,
            message=arguments.message,
            sources=arguments.source,
            family=arguments.family,
        )
        result["published"] = version.as_json()
        if not console.json:
            console.line(f"Published {version.exact}, {version.digest}.")
    if console.json:
        console.value(result)
    return ExitCode.OK


COMMAND = Command("publish", "publish a body as the next version of a tag", configure, run)
