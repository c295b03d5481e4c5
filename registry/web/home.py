"""The first page: what this is, and the list of tags with its search."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from registry.domain.errors import Code, Refused, echo
from registry.domain.near import nearest
from registry.domain.reference import Reference, Tag
from registry.services import browsing
from registry.services.browsing import Listing, Page
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
    def of(cls, parameters: QueryDict, namespaces: list[str]) -> Asked:
        """Read a query string. Raises `Refused` for an unknown namespace or a broken link."""
        namespace, after = parameters.get("namespace", ""), parameters.get("after", "")
        if namespace and namespace not in namespaces:
            raise Refused(
                Code.NAMESPACE_UNKNOWN,
                f"There is no namespace {echo(namespace)}.",
                suggestions=nearest(namespace, namespaces),
            )
        if after:
            Tag.parse(after)
        return cls(parameters.get("q", "").strip()[:MAX_QUERY], namespace, after)

    @property
    def is_all(self) -> bool:
        """Whether it is the first page, with nothing asked for."""
        return not (self.query or self.namespace or self.after)


@dataclass(frozen=True, slots=True)
class Row:
    """A tag in the list."""

    listing: Listing
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
    namespaces = browsing.namespace_counts(query=request.GET.get("q", ""))
    asked = Asked.of(request.GET, [namespace.name for namespace in namespaces])
    found = browsing.tags(query=asked.query, after=asked.after, namespace=asked.namespace)
    context = {
        "asked": asked,
        "namespaces": [namespace for namespace in namespaces if namespace.count],
        "total": sum(namespace.count for namespace in namespaces),
        "page": found,
        "rows": [_row(listing) for listing in found.listings],
    }
    if asked.is_all:
        context |= _first_screen(request, found)
    return render(request, "registry/home.html", context)


def _row(listing: Listing) -> Row:
    version = listing.version
    return Row(listing, Moment(version.published) if version else None)


def _first_screen(request: HttpRequest, found: Page) -> dict[str, Any]:
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
    tag = SHOWN if shown else next((listing.tag.text for listing in found.listings), "")
    return {
        "examples": examples,
        "answer": shown,
        "snippet": curl(request, tag, "target") if tag else "",
    }
