"""The list of namespaces, and the page of one with its members, tags and recent events."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.namespaces import POLICY_DESCRIPTIONS, policy_warning
from registry.http.signed_in import is_allowed
from registry.models import Policy
from registry.services.core import cursors
from registry.services.core.paging import LIMIT, parse_limit
from registry.services.core.permission_rules import Action
from registry.services.events import news
from registry.services.namespaces import directory, readmes
from registry.services.proposals import listing
from registry.services.search import searching
from registry.services.search.search_query import SearchQuery
from registry.web.core.decorators import public_page
from registry.web.core.news import is_watched
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes
from registry.web.namespaces.pending_change import pending_lines
from registry.web.namespaces.readme_html import render_folded
from registry.web.versions.compare import MAX_TAGS

PAGE_SIZE = 50  # rows of the list, unless a limit is given
MAX_NEWS = 12  # the feed has more


@public_page
@takes("q", "sort", cursors.PARAMETER, LIMIT)
def namespaces(request: HttpRequest) -> HttpResponse:
    """List all namespaces, or those that a text finds, by name or by their number of tags."""
    text = request.GET.get("q", "").strip()
    order = directory.parse_order(request.GET.get("sort", ""))
    page = directory.list_namespaces(
        text=text,
        order=order,
        after=cursors.decode_cursor(request.path, request.GET),
        limit=parse_limit(request.GET) or PAGE_SIZE,
    )
    query = ([("q", text)] if text else []) + ([("sort", order)] if request.GET.get("sort") else [])
    context = {
        "summaries": page.rows,
        "text": text,
        "order": order,
        "api_url": reverse("api:namespaces", query=query),
        **page_links(request, page.next_key),
        "section": "namespaces",
    }
    return render(request, "registry/namespaces/index.html", context)


@public_page
def namespace(request: HttpRequest, name: str) -> HttpResponse:
    """Show a namespace with its README, members, tags and recent events."""
    summary = directory.namespace_summary(name)
    namespace = summary.namespace
    tags = searching.search(SearchQuery(facts={"namespace": namespace.name}))
    members = directory.list_members(namespace)
    readme = readmes.find_newest(namespace)
    context = {
        "namespace": namespace,
        "tag_count": summary.tags,
        "url": _safe_url(namespace.url),
        "created": namespace.created,
        "readme": readme,
        "readme_html": render_folded(readme.text) if readme else None,
        "members": members.rows,
        "has_more_members": members.next_key is not None,
        "entries": tags.entries,
        "max_compared": MAX_TAGS,
        "kinds": tags.counts["kind"],
        "policy": POLICY_DESCRIPTIONS[Policy(namespace.policy)],
        "policy_warning": policy_warning(namespace),
        "pending": pending_lines(namespace),
        "undecided_count": listing.count_undecided(namespace),
        "is_watched": is_watched(request, namespace.name),
        "can_manage": is_allowed(request, Action.DESCRIBE_NAMESPACE, namespace),
        "news": news.namespace_news(namespace.name).items[:MAX_NEWS],
        "section": "namespaces",
    }
    return render(request, "registry/namespaces/namespace.html", context)


def _safe_url(url: str) -> str:
    """Return an https URL unchanged, and an empty string for any other."""
    return url if url.startswith("https://") else ""
