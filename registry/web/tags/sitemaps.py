"""The sitemap: an index, and parts that list the URL of every indexable page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from xml.sax.saxutils import escape

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.services.kinds import kinds
from registry.services.tags import sitemap
from registry.web.core.decorators import public_document
from registry.web.core.xml import DECLARATION
from registry.web.documents import library

SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
MEDIA_TYPE = "application/xml; charset=utf-8"
PAGES = (
    *("home", "kinds", "namespaces", "proposals", "submit", "events", "problems"),
    *("api:docs", "documents"),
)


def _pages(_: int) -> Iterator[str]:
    """Yield the paths of the fixed pages, of the documents and of the kinds."""
    yield from map(reverse, PAGES)
    for page in library.pages().values():
        yield page.url
    for name in sorted(kinds.current_kinds().kinds):
        yield reverse("kind", args=[name])


def _paths(route: str, names: Iterable[str]) -> Iterator[str]:
    """Return paths that end in a name; no character of a name needs escaping."""
    prefix = reverse(route, args=["a"]).removesuffix("a")
    return (f"{prefix}{name}" for name in names)


# By the name of a type of pages: the number of its sitemap parts, and the paths in each.
SECTIONS: Mapping[str, tuple[Callable[[], int], Callable[[int], Iterable[str]]]] = {
    "pages": (lambda: 1, _pages),
    "namespaces": (
        sitemap.count_namespace_parts,
        lambda number: _paths("namespace", sitemap.namespaces_in_part(number)),
    ),
    "tags": (
        sitemap.count_tag_parts,
        lambda number: _paths("tag", sitemap.tags_in_part(number)),
    ),
}


@public_document
def index(request: HttpRequest) -> HttpResponse:
    """List the parts of the sitemap."""
    paths = (
        reverse("sitemap-part", args=[name, number])
        for name, (count_parts, _) in SECTIONS.items()
        for number in range(1, count_parts() + 1)
    )
    return _url_list(request, "sitemapindex", "sitemap", paths)


@public_document
def part(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """List the URLs of one part. Raises `Refused` (ROUTE_UNKNOWN) if it does not exist."""
    count_parts, paths_in_part = SECTIONS.get(name, (lambda: 0, _pages))
    if not 1 <= number <= count_parts():
        raise Refused(Code.ROUTE_UNKNOWN, f"The sitemap has no part {name}-{number}.")
    return _url_list(request, "urlset", "url", paths_in_part(number))


def _url_list(
    request: HttpRequest, root_name: str, item_name: str, paths: Iterable[str]
) -> HttpResponse:
    """Return absolute URLs of this host in the sitemap format.

    As text, which takes a tenth of the time of elements: a part has 50,000.
    """
    host = escape(request.build_absolute_uri("/").removesuffix("/"))
    items = (f"<{item_name}><loc>{host}{escape(path)}</loc></{item_name}>" for path in paths)
    root = f'<{root_name} xmlns="{SCHEMA}">{"".join(items)}</{root_name}>'
    return HttpResponse(f"{DECLARATION}{root}", content_type=MEDIA_TYPE)
