"""The pages of the documentation: the index and the documents. Without queries."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

from registry.domain.errors import Code, Refused, echo
from registry.domain.names.near_names import nearest_names
from registry.services.catalogue import lock
from registry.web.core.decorators import public_page
from registry.web.core.parameters import takes
from registry.web.documents.documents import GROUPS
from registry.web.documents.library import DocumentPage, pages
from registry.web.documents.search import search

CHANGELOG = "changes"
ORIGIN = "http://127.0.0.1:8000"  # stands for this registry in the commands of documents


@public_page
@takes("q")
def documents(request: HttpRequest) -> HttpResponse:
    """List the documents with their chapters; with `?q=`, also the sections that match."""
    text = request.GET.get("q", "").strip()
    groups = {
        title: [(pages()[document.slug], _chapters(document.slug)) for document in group]
        for title, group in GROUPS.items()
    }
    context = {
        "section": "docs",
        "groups": groups,
        "text": text,
        "results": search(text) if text else None,
    }
    return render(request, "registry/documents/index.html", context)


@public_page
def document(request: HttpRequest, path: str) -> HttpResponse:
    """Show a document, or a chapter of one. Raises `Refused` (ROUTE_UNKNOWN)."""
    page = pages().get(path)
    if page is None:
        near = nearest_names(path, pages())
        detail = f"There is no document {echo(path)}."
        raise Refused(Code.ROUTE_UNKNOWN, detail, suggestions=[pages()[name].url for name in near])
    paths = list(pages())
    position = paths.index(path)
    context = {
        "section": "docs",
        "page": page,
        "html": _with_origin(page, request),
        "release": _newest_release() if path == CHANGELOG else None,
        "start": pages()[page.document.slug],
        "chapters": _chapters(page.document.slug),
        "previous": pages()[paths[position - 1]] if position else None,
        "next": pages()[paths[position + 1]] if position + 1 < len(paths) else None,
    }
    return render(request, "registry/documents/page.html", context)


@lru_cache(maxsize=1)
def _newest_release() -> lock.Release | None:
    """Return the newest release of the catalogue's lock file; None before the first one."""
    releases = lock.read_lock().releases
    return releases[-1] if releases else None


def _chapters(slug: str) -> list[DocumentPage]:
    return [page for page in pages().values() if page.is_chapter and page.document.slug == slug]


def _with_origin(page: DocumentPage, request: HttpRequest) -> SafeString:
    """Return the HTML with the URL of this registry in its commands."""
    origin = request.build_absolute_uri("/").removesuffix("/")
    return mark_safe(page.html.replace(ORIGIN, origin))  # noqa: S308 - Django has checked the host
