"""The page of the catalogue: coverage, sources of facts, disagreements, and what is missing."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst

from registry.domain.descriptions.descriptions import CATEGORIES
from registry.services.catalogue import coverage
from registry.services.catalogue.coverage import CategoryCoverage
from registry.services.core import shipped_facts
from registry.web.core.decorators import public_page
from registry.web.core.units import label
from registry.web.versions.fact_groups import disagreement_row

MAX_NAMESPACES = 40  # the page of namespaces lists all
MAX_ROWS = 15  # of disagreements; the API has all


@public_page
def catalogue(request: HttpRequest) -> HttpResponse:
    """Show what the registry covers and where its facts come from. Four queries."""
    namespaces, categories = coverage.namespace_coverage(), coverage.category_counts()
    disagreements = coverage.disagreements()
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
        "facts": [_facts(item) for item in coverage.fact_coverage(categories)],
        "sources": coverage.sources(),
        "disagreements": [_row(item, loaded) for item in disagreements[:MAX_ROWS]],
        "more_disagreements": max(len(disagreements) - MAX_ROWS, 0),
        "missing": [
            (group, list(rows))
            for group, rows in groupby(
                sorted(shipped_facts.missing(), key=itemgetter("group")), itemgetter("group")
            )
        ],
        "section": "catalogue",
    }
    return render(request, "registry/catalogue.html", context)


def _facts(item: CategoryCoverage) -> dict[str, Any]:
    """Return a category with its facts: the label of each, the number of names, and a reason."""
    return {
        "category": item.category,
        "title": capfirst(CATEGORIES[item.category][1]),
        "names": item.names,
        "facts": [(label(*fact.fact.split("/")), fact) for fact in item.facts],
    }


def _row(item: dict[str, Any], loaded: frozenset[str]) -> dict[str, Any]:
    return disagreement_row(item) | {"is_loaded": item["tag"] in loaded}
