"""A whole list of tags as CSV (RFC 4180), for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from registry.domain.search.list_columns import CHIP, COLUMNS
from registry.models import Entry
from registry.services.core import cursors
from registry.services.core.paging import LIMIT
from registry.services.search import query_parameters, searching
from registry.services.search.list_facts import ListedFacts, read_list_facts, text_of
from registry.web.core.decorators import public_document
from registry.web.core.parameters import takes

MEDIA_TYPE = "text/csv; charset=utf-8"
MAX_ROWS = 10_000  # some 2 MB; the API has pages without an end
MORE = "More than these {} tags match. Filter the list, or read all from /api/v1/tags."
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters that spreadsheets evaluate
HEADER = (
    *("tag", "reference", "category", "vendor", "model", "family", "kind", "arch", "status"),
    *("published", "resolves", CHIP),
    *(column.pointer.removeprefix("/hardware/") for column in COLUMNS.values() if column.pointer),
)


class _Echo:
    """A file that returns what is written to it."""

    def write(self, line: str) -> str:
        return line


@public_document
@takes(
    *query_parameters.PARAMETERS - {LIMIT, cursors.PARAMETER},  # a file has no pages
    several={query_parameters.WHERE},
)
def tags_csv(request: HttpRequest) -> HttpResponse:
    """Return up to 10,000 tags of a list, in its order; numbers are in base units.

    A last row says that there are more, since nothing else of a saved file could.
    """
    batches = searching.batches(query_parameters.parse_query(request.GET), MAX_ROWS)
    first = next(batches, ((), False))  # an invalid query is refused before the response starts
    response = StreamingHttpResponse(_lines(chain([first], batches)), content_type=MEDIA_TYPE)
    response["Content-Disposition"] = 'attachment; filename="tags.csv"'
    return cast(HttpResponse, response)  # which the decorator only adds headers to


def _lines(batches: Iterable[tuple[Sequence[Entry], bool]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(HEADER)
    count, has_more = 0, False
    for entries, others_follow in batches:
        count, has_more = count + len(entries), others_follow
        facts = read_list_facts(entries)
        for entry in entries:
            yield writer.writerow(map(inert, _row(entry, facts[entry.pk])))
    if has_more:
        yield writer.writerow([MORE.format(count)])


def _row(entry: Entry, listed: ListedFacts) -> tuple[Any, ...]:
    return (
        *(entry.text, entry.exact, listed.category, entry.vendor, listed.model, entry.family),
        *(entry.kind, entry.arch, entry.status, entry.published, entry.resolves, listed.chip),
        *(text_of(listed.facts, column.pointer) for column in COLUMNS.values() if column.pointer),
    )


def inert(value: Any) -> str:
    """Return a value as text that no spreadsheet evaluates as a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
