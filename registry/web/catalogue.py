"""The page of the catalogue: coverage, sources of facts, disagreements, and what is missing."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.services.catalogue import coverage
from registry.web.core.decorators import public_page

MAX_NAMESPACES = 40  # the page of namespaces lists all
MAX_ROWS = 60  # of disagreements and missing products; the files have all


@public_page
def catalogue(request: HttpRequest) -> HttpResponse:
    """Show what the registry covers and where its facts come from. Four queries."""
    namespaces, categories = coverage.namespace_coverage(), coverage.category_counts()
    disagreements, missing = coverage.disagreements(), coverage.missing()
    loaded = coverage.loaded_tags([item["tag"] for item in disagreements[:MAX_ROWS]])
    context = {
        "total": {
            part: sum(getattr(item, part) for item in namespaces)
            for part in ("names", "families", "variants", "versions")
        },
        "namespaces": namespaces[:MAX_NAMESPACES],
        "more_namespaces": max(len(namespaces) - MAX_NAMESPACES, 0),
        "categories": [
            (name, capfirst(several), categories[name])
            for name, (_, several) in CATEGORIES.items()
            if name in categories
        ],
        "sources": coverage.sources(),
        "disagreements": [_row(item, loaded) for item in disagreements[:MAX_ROWS]],
        "more_disagreements": max(len(disagreements) - MAX_ROWS, 0),
        "missing": missing[:MAX_ROWS],
        "more_missing": max(len(missing) - MAX_ROWS, 0),
        "section": "catalogue",
    }
    return render(request, "registry/catalogue.html", context)


def _row(item: dict[str, Any], loaded: frozenset[str]) -> dict[str, Any]:
    """Return a fact with what sources state: URL, repository and value of each."""
    statements = [
        (url, "/".join(url.split("/")[3:5]), value) for url, value in item["values"].items()
    ]
    return {**item, "is_loaded": item["tag"] in loaded, "statements": statements}
