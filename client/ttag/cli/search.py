"""`ttag search`: tags by words, facts and values."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict

from ttag.cli.command import Argument, Command, Context, positive
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
    "status": "active, deprecated, yanked or any",
    "sort": "best, published, used, or a fact such as memory",
}
ARGUMENTS = (
    Argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="of a machine, as in rtx 4090; those without digits may be misspelt",
    ),
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
        words = ", ".join(results.ignored)
        console.note(f"note: ignored, as no name has it or the search is too long: {words}")
    if results.beginning:
        console.note(f"note: no tag is named {results.beginning}; these names begin with it")
    if results.results:
        print_table([HEADER, *map(_row, results.results)], console, has_header=True)
    else:
        console.note("No tag matches.")
    if results.total > len(results.results):
        more = "more than " if results.capped else ""
        console.note(f"{len(results.results)} of {more}{results.total}; --limit shows more")
    for line in not_in_catalogue(results):
        console.note(line)


def not_in_catalogue(results: SearchResults) -> Iterator[str]:
    """Yield what is known to be missing, and other machines with what differs."""
    for product in results.missing:
        yield f"Not in the catalogue: {product.product}: {product.reason}."
    for other in results.nearest:
        differs = f": {'; '.join(other.differs)}" if other.differs else ""
        yield f"Another machine: {other.tag}{differs}"


def _row(tag: TagSummary) -> tuple[str, ...]:
    status = "" if tag.status == "active" else f"{tag.status} "
    matched = ", ".join(
        match.value if match.field == "name" else f"{match.field} {match.value}"
        for match in tag.matched
        if match.value != tag.tag
    )
    doubts = "".join(f"; does not state {number}" for number in tag.unstated)
    facts = (tag.tag, tag.version, tag.kind or "mixin", tag.arch, tag.vendor)
    return (*facts, f"{status}{matched}{doubts}")


COMMAND = Command("search", "find tags by words, facts and values", run, ARGUMENTS)
