"""A whole list of tags as CSV (RFC 4180), for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from registry.domain.errors import Refused, echo
from registry.domain.names.choices import check_choice, invalid_filter
from registry.domain.search.list_columns import CHIP, COLUMNS
from registry.models import Entry
from registry.services.core import cursors
from registry.services.core.paging import LIMIT
from registry.services.search import query_parameters, searching
from registry.services.search.list_facts import ListedFacts, read_list_facts, text_of
from registry.services.search.searching import Batch
from registry.web.core.decorators import public_document
from registry.web.core.parameters import takes
from ttag_rules.echo import shorten

MEDIA_TYPE = "text/csv; charset=utf-8"
MAX_ROWS = 10_000  # some 2 MB; the API has pages without an end
STRICT = "strict"
IGNORED = "Search-Ignored"  # the header that names words
MAX_IGNORED, MAX_WORD = 20, 40  # words in it, and characters of each: servers limit headers
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
    STRICT,
    several={query_parameters.WHERE},
)
def tags_csv(request: HttpRequest) -> HttpResponse:
    """Return up to 10,000 tags of a list, in its order; numbers are in base units.

    A last row says that there are more, since nothing else of a saved file could. A header names
    the words of the search that these tags need not have; `strict` refuses such a search.
    """
    is_strict = _is_strict(request.GET.get(STRICT, "0"))
    batches = searching.batches(query_parameters.parse_query(request.GET), MAX_ROWS)
    first = next(batches, Batch())  # an invalid query is refused before the response starts
    if is_strict and first.left_out:
        raise _lossy(first.left_out)
    response = StreamingHttpResponse(_lines(chain([first], batches)), content_type=MEDIA_TYPE)
    response["Content-Disposition"] = 'attachment; filename="tags.csv"'
    if first.left_out:
        response[IGNORED] = _listed(first.left_out)
    return cast(HttpResponse, response)  # which the decorator only adds headers to


def _is_strict(text: str) -> bool:
    check_choice(STRICT, text, ["0", "1"])
    return text == "1"


def _lossy(words: Sequence[str]) -> Refused:
    message = f"q has words that the results need not have: {echo(', '.join(words))}"
    return invalid_filter(message, "words that decide, at most 8", echo(", ".join(words)))


def _listed(words: Sequence[str]) -> str:
    """Return words as a list of strings (RFC 9651), at most 20, then the number of others."""
    items = [_quoted(shorten(word, MAX_WORD)) for word in words[:MAX_IGNORED]]
    omitted = len(words) - MAX_IGNORED
    return ", ".join([*items, str(omitted)] if omitted > 0 else items)


def _quoted(word: str) -> str:
    """Return a String, or a Display String for what is not ASCII."""
    if word.isascii() and word.isprintable():
        escaped = word.replace("\\", r"\\").replace('"', r"\"")
        return f'"{escaped}"'
    signs = (chr(byte) if 0x20 <= byte < 0x7F else f"%{byte:02x}" for byte in word.encode())
    return '%"{}"'.format("".join(signs).replace('"', "%22"))


def _lines(batches: Iterable[Batch]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(HEADER)
    count, has_more = 0, False
    for batch in batches:
        count, has_more = count + len(batch.entries), batch.has_more
        facts = read_list_facts(batch.entries)
        for entry in batch.entries:
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
