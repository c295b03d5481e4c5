"""The sitemap: an index, and parts that list the URL of every indexable page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.domain.errors import Code, Refused
from registry.services.kinds import kinds
from registry.services.tags import sitemap
from registry.web.core.decorators import public_document
from registry.web.core.xml import xml_response

SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
MEDIA_TYPE = "application/xml; charset=utf-8"
PAGES = ("home", "kinds", "namespaces", "proposals", "submit", "events", "problems", "api:docs")


@dataclass(frozen=True, slots=True)
class Sort:
    """A type of page: the number of its sitemap parts, and the paths in one of them."""

    parts: Callable[[], int]
    paths: Callable[[int], Iterable[str]]


def _pages(_: int) -> Iterator[str]:
    """Yield the paths of the fixed pages and of the kinds."""
    yield from map(reverse, PAGES)
    for name in sorted(kinds.current_kinds().kinds):
        yield reverse("kind", args=[name])


def _paths(route: str, names: Iterable[str]) -> Iterator[str]:
    """Return paths that end in a name; no character of a name needs escaping."""
    before = reverse(route, args=["a"]).removesuffix("a")
    return (f"{before}{name}" for name in names)


SORTS = {
    "pages": Sort(lambda: 1, _pages),
    "namespaces": Sort(
        sitemap.count_namespace_parts,
        lambda at: _paths("namespace", sitemap.namespaces_in_part(at)),
    ),
    "tags": Sort(sitemap.count_tag_parts, lambda at: _paths("tag", sitemap.tags_in_part(at))),
}


@public_document
def index(request: HttpRequest) -> HttpResponse:
    """List the parts of the sitemap."""
    paths = (
        reverse("sitemap-part", args=[name, at + 1])
        for name, sort in SORTS.items()
        for at in range(sort.parts())
    )
    return _url_list(request, "sitemapindex", "sitemap", paths)


@public_document
def part(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """List the URLs of one part. Raises `Refused` (ROUTE_UNKNOWN) if it does not exist."""
    found = SORTS.get(name)
    if found is None or not 1 <= number <= found.parts():
        raise Refused(Code.ROUTE_UNKNOWN, f"The sitemap has no part {name}-{number}.")
    return _url_list(request, "urlset", "url", found.paths(number))


def _url_list(request: HttpRequest, root: str, each: str, paths: Iterable[str]) -> HttpResponse:
    """Return absolute URLs of this host in the sitemap format."""
    host = request.build_absolute_uri("/").removesuffix("/")
    top = Element(root, {"xmlns": SCHEMA})
    for path in paths:
        SubElement(SubElement(top, each), "loc").text = f"{host}{path}"
    return xml_response(top, MEDIA_TYPE)
