"""Who owns which names, and what they did lately."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.actions.namespaces import MEANS
from registry.models import Namespace, Policy
from registry.services.core import cursors, permissions
from registry.services.core.permissions import Action, Actor
from registry.services.events import news
from registry.services.events.news import NewsItem
from registry.services.namespaces import directory
from registry.services.proposals import listing
from registry.services.search import searching
from registry.services.search.searching import SearchQuery
from registry.web.core.dates import Moment
from registry.web.core.decorators import public_page
from registry.web.tags.list_rows import TagRow

MOST_HAPPENINGS = 12  # the feed has more


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, and when."""

    happening: NewsItem
    at: Moment


@public_page
def namespaces(request: HttpRequest) -> HttpResponse:
    """All by name, in pages."""
    found = directory.list_namespaces(after=cursors.decode_cursor(request.path, request.GET))
    context = {
        "namespaces": found.rows,
        "is_later": cursors.PARAMETER in request.GET,
        "next": cursors.next_url(request.path, request.GET, found.following),
        "section": "namespaces",
    }
    return render(request, "registry/namespaces/index.html", context)


@public_page
def namespace(request: HttpRequest, name: str) -> HttpResponse:
    """One with its members, its tags, and what happened to them."""
    owned = directory.namespace_summary(name)
    found = searching.search(SearchQuery(facts={"namespace": owned.namespace.name}))
    members = directory.list_members(owned.namespace)
    lately = islice(news.namespace_news(owned.namespace.name).happenings, MOST_HAPPENINGS)
    context = {
        "owned": owned,
        "namespace": owned.namespace,
        "url": _link(owned.namespace.url),
        "created": Moment(owned.namespace.created),
        "members": members.rows,
        "has_more_members": members.following is not None,
        "rows": [TagRow.of(entry) for entry in found.entries],
        "kinds": found.facets["kind"],
        "policy": MEANS[Policy(owned.namespace.policy)],
        "waiting": listing.count_undecided(owned.namespace),
        "is_managed": _is_managed(request, owned.namespace),
        "lately": [Line(happening, Moment(happening.at)) for happening in lately],
        "section": "namespaces",
    }
    return render(request, "registry/namespaces/namespace.html", context)


def _is_managed(request: HttpRequest, namespace: Namespace) -> bool:
    """Whether who reads it may manage it."""
    user: Any = request.user
    if not user.is_authenticated:
        return False
    return permissions.allowed(Actor(user), Action.DESCRIBE_NAMESPACE, namespace)


def _link(url: str) -> str:
    """An owner's own page, where it can be led to."""
    return url if url.startswith("https://") else ""
