"""The first page: what this is, and the list of tags with its search."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from registry.domain.reference import Reference, Tag
from registry.models import Entry
from registry.services.reading import browsing
from registry.services.search import searching
from registry.services.search.searching import Found, Question
from registry.web.code import Code as Highlighted, code, layout
from registry.web.dates import Moment
from registry.web.page import page
from registry.web.snippets import curl
from registry.web.summary import summary

MAX_QUERY = 200  # characters that the search field keeps
EXAMPLES = {  # the three that the registry was thought up with
    "aws/c4.4xlarge": "a machine in a data centre",
    "nvidia/jetson-nano:cuda": "a board: its GPU and the CPU that drives it",
    "arm/soc:aot": "a microcontroller, compiled ahead of time",
}
SHOWN = "arm/soc:aot"  # the shortest that still has everything


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader asks the list for. All of it stands in the query string."""

    query: str
    namespace: str
    after: str

    @classmethod
    def of(cls, parameters: QueryDict) -> Asked:
        """Read a query string. Raises `Refused` for a broken link."""
        after = parameters.get("after", "")
        if after:
            Tag.parse(after)
        query = parameters.get("q", "").strip()[:MAX_QUERY]
        return cls(query, parameters.get("namespace", ""), after)

    @property
    def question(self) -> Question:
        """The same for the service."""
        facts = {"namespace": self.namespace} if self.namespace else {}
        return Question(self.query, facts)

    @property
    def is_all(self) -> bool:
        """Whether it is the first page, with nothing asked for."""
        return not (self.query or self.namespace or self.after)


@dataclass(frozen=True, slots=True)
class Row:
    """A tag in the list."""

    entry: Entry
    published: Moment | None


@dataclass(frozen=True, slots=True)
class Example:
    """A tag that shows what the registry is for."""

    tag: str
    says: str
    summary: str


@page
def home(request: HttpRequest) -> HttpResponse:
    """Tags, all or those searched for; on the first page also what this is."""
    asked = Asked.of(request.GET)
    after = [asked.after] if asked.after and not asked.query else None
    found = searching.search(asked.question, after=after)
    context = {
        "asked": asked,
        "found": found,
        "rows": [_row(entry) for entry in found.entries or found.near],
        "next": found.following[0] if found.following and not asked.query else "",
    }
    if asked.is_all:
        context |= _first_screen(request, found)
    return render(request, "registry/home.html", context)


def _row(entry: Entry) -> Row:
    return Row(entry, Moment(entry.version.published) if entry.version else None)


def _first_screen(request: HttpRequest, found: Found) -> dict[str, Any]:
    """Three tags, and one of them asked for and answered. Without the catalogue: a tag there is."""
    targets = browsing.targets([Reference.parse(text) for text in EXAMPLES])
    examples = [
        Example(tag, says, summary(json.loads(targets[tag])))
        for tag, says in EXAMPLES.items()
        if tag in targets
    ]
    shown: Highlighted | None = None
    if SHOWN in targets:
        shown = code(layout(json.loads(targets[SHOWN])))
    tag = SHOWN if shown else next((entry.text for entry in found.entries), "")
    return {
        "examples": examples,
        "answer": shown,
        "snippet": curl(request, tag, "target") if tag else "",
    }
