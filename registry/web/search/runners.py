"""The page of all machines that run code for a version, or of all code that its machine runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from registry.domain.names.choices import check_choice
from registry.domain.reference import Reference
from registry.http import compatibility_options
from registry.services.core import cursors
from registry.services.search import query_parameters
from registry.services.versions import compatibility, runners
from registry.services.versions.runners import FILTERS, Direction, Runner, Runners
from registry.web.core.decorators import public_page
from registry.web.core.filter_links import FilterLink, Parameter
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes
from registry.web.search.tag_list import TITLES
from registry.web.versions.verdict_texts import WORDS, condition_texts
from ttag_rules.compatibility.verdicts import Answer

DIRECTION, VERDICT = "direction", "verdict"
FIELDS = ("namespace", "vendor", "kind", "arch")  # of the form; others are kept as they are
TABS = {Direction.MACHINES: "Machines that run its code", Direction.TARGETS: "Code that it runs"}
HEADINGS = {
    (Direction.MACHINES, Answer.YES): "Machines that run code for",
    (Direction.MACHINES, Answer.CONDITIONAL): "Machines that run, under conditions, code for",
    (Direction.MACHINES, Answer.UNKNOWN): "Machines not known to run code for",
    (Direction.MACHINES, Answer.NO): "Machines that do not run code for",
    (Direction.TARGETS, Answer.YES): "Code that runs on",
    (Direction.TARGETS, Answer.CONDITIONAL): "Code that runs, under conditions, on",
    (Direction.TARGETS, Answer.UNKNOWN): "Code not known to run on",
    (Direction.TARGETS, Answer.NO): "Code that does not run on",
}


@dataclass(frozen=True, slots=True)
class RunnersQuery:
    """The query of the list: a reference, a direction, a verdict, filters and options."""

    reference: Reference
    direction: Direction
    answer: Answer
    filters: QueryDict  # without what the list does not take, and without empty parameters
    options: dict[str, str]

    @classmethod
    def of(cls, request: HttpRequest, reference: Reference) -> RunnersQuery:
        """Return the query of a request. Raises `Refused` (FILTER_INVALID)."""
        direction = request.GET.get(DIRECTION) or Direction.MACHINES
        check_choice(DIRECTION, direction, [*Direction])
        answer = request.GET.get(VERDICT) or Answer.YES
        check_choice(VERDICT, answer, [*Answer])
        names = compatibility_options.NAMES
        options = {name: text for name in names if (text := request.GET.get(name, ""))}
        return cls(reference, Direction(direction), Answer(answer), _filters(request), options)

    def parameters(
        self, direction: Direction | None = None, answer: Answer | None = None
    ) -> list[Parameter]:
        """Return all parameters, with another direction or verdict if one is given."""
        return [
            (DIRECTION, str(direction or self.direction)),
            (VERDICT, str(answer or self.answer)),
            *self.conditions(),
        ]

    def conditions(self) -> list[Parameter]:
        filters = [(name, text) for name, texts in self.filters.lists() for text in texts]
        return [*filters, *self.options.items()]

    def url(self, parameters: Sequence[Parameter]) -> str:
        return reverse("runners", args=[self.reference], query=parameters)

    def without(self, parameter: Parameter) -> str:
        return self.url([each for each in self.parameters() if each != parameter])


def _filters(request: HttpRequest) -> QueryDict:
    filters = QueryDict(mutable=True)
    for name in sorted(FILTERS - {cursors.PARAMETER}):
        if texts := list(filter(None, request.GET.getlist(name))):
            filters.setlist(name, texts)
    return filters


# Decision 152: answers and directions are links, so that each list has a URL.
@public_page
@takes(DIRECTION, VERDICT, *compatibility_options.NAMES, *FILTERS, several={query_parameters.WHERE})
def list_runners(request: HttpRequest, reference: Reference) -> HttpResponse:
    """List tags by name whose verdict is the one asked for."""
    query = RunnersQuery.of(request, reference)
    page = runners.find_runners(
        compatibility.resolve_reference(reference),
        query.direction,
        query_parameters.parse_query(query.filters),
        answers=frozenset({query.answer}),
        options=compatibility_options.read_query(query.options),
        after=cursors.decode_cursor(request.path, request.GET),
    )
    return render(request, "registry/runners.html", _context(request, query, page))


def _context(request: HttpRequest, query: RunnersQuery, page: Runners) -> dict[str, Any]:
    parameters = query.parameters()
    return {
        **_links(query),
        "section": "compare",
        "reference": query.reference,
        "exact": page.side.exact,
        "heading": HEADINGS[query.direction, query.answer],
        "fields": [(name, TITLES[name], query.filters.get(name, "")) for name in FIELDS],
        "kept": [each for each in parameters if each[0] not in FIELDS],
        **page_links(request, page.next_key),
        "rows": list(_rows(query, page)),
        "has_reasons": query.answer is not Answer.YES,  # of a yes they are all the same
        "judged": page.judged,
        "json_url": reverse("api:runs-on-list", args=[query.reference], query=parameters),
    }


def _links(query: RunnersQuery) -> dict[str, Any]:
    """Return the links to other directions and verdicts, and those that remove a filter."""
    return {
        "tabs": [
            FilterLink(text, query.url(query.parameters(direction=each)), each is query.direction)
            for each, text in TABS.items()
        ],
        "answers": [
            FilterLink(text, query.url(query.parameters(answer=each)), each is query.answer)
            for each, text in WORDS.items()
        ],
        "chips": [
            FilterLink(text, query.without((name, text)), label=TITLES.get(name, name).lower())
            for name, text in query.conditions()
        ],
        "clear_url": query.url(query.parameters()[:2]),
    }


def _rows(query: RunnersQuery, page: Runners) -> Iterator[tuple[Runner, list[str], str]]:
    """Yield each tag with its conditions and the URL of the whole answer."""
    for row in page.rows:
        sides = [str(query.reference), row.entry.text]
        if query.direction is Direction.TARGETS:
            sides.reverse()
        names = {"built_for": sides[0], "machine": sides[1]}
        url = reverse("runs-on", query={**names, **query.options})
        yield row, condition_texts(row.verdict.conditions), url
