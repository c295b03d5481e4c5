"""`ttag search`: tags by words, facts and values."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from ttag.cli.arguments import Argument, positive
from ttag.cli.command import Command, Context
from ttag.cli.console import Console
from ttag.cli.tables import print_table
from ttag.errors import ExitCode
from ttag.responses.tags import Query, SearchResults, TagSummary

HEADER = ("TAG", "VERSION", "KIND", "ARCH", "VENDOR", "MATCHED")
FILTERS = {
    "namespace": "tags of one namespace",
    "kind": "the kind of the root, such as cuda; mixin for tags without one",
    "vendor": "the maker, such as NVIDIA",
    "family": "the product family, such as Maxwell",
    "arch": "the architecture, such as sm_53 or x86_64",
    "status": "active, deprecated or yanked",
    "sort": "best, published, used, or a fact such as memory",
}


ARGUMENTS = (
    Argument("words", nargs="*", metavar="WORD", help="may be beginnings or misspelt"),
    *(
        Argument(f"--{name}", default="", metavar=name.upper(), help=summary)
        for name, summary in FILTERS.items()
    ),
    Argument(
        "--where",
        action="append",
        default=[],
        metavar="CONDITION",
        help="a condition on a value, such as 'num-cores>=8'; may be repeated",
    ),
    Argument(
        "--limit", type=positive, default=20, metavar="N", help="at most so many (default: 20)"
    ),
)


def run(arguments: Namespace, context: Context) -> ExitCode:
    """Print the tags that match; it is no error if there are none."""
    filters = {name: getattr(arguments, name) for name in FILTERS}
    query = Query(" ".join(arguments.words), where=tuple(arguments.where), **filters)
    context.console.progress("Searching")
    results = context.project.registry().search(query, limit=arguments.limit)
    if context.console.json:
        context.console.value(asdict(results))
    else:
        _print(results, context.console)
    return ExitCode.OK


def _print(results: SearchResults, console: Console) -> None:
    if results.ignored:
        console.note(f"note: no tag has {' or '.join(results.ignored)}; ignored")
    if not results.results:
        near = (
            f" Did you mean {' or '.join(results.suggestions[:3])}?" if results.suggestions else ""
        )
        console.note(f"No tag matches.{near}")
        return
    print_table([HEADER, *map(_row, results.results)], console, has_header=True)
    if results.total > len(results.results):
        more = "more than " if results.capped else ""
        console.note(f"{len(results.results)} of {more}{results.total}; --limit shows more")


def _row(tag: TagSummary) -> tuple[str, ...]:
    status = "" if tag.status == "active" else f"{tag.status} "
    matched = ", ".join(
        match.value if match.field == "name" else f"{match.field} {match.value}"
        for match in tag.matched
        if match.value != tag.tag
    )
    return (tag.tag, tag.version, tag.kind or "mixin", tag.arch, tag.vendor, status + matched)


COMMAND = Command("search", "find tags by words, facts and values", run, ARGUMENTS)
