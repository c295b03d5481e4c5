"""The pages of a README: its revisions, one of them, what changed between two, and the form."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from registry.actions.readmes import WriteReadme
from registry.domain.errors import Refused
from registry.http.signed_in import is_allowed
from registry.models import Namespace
from registry.services.core import cursors, text_diff
from registry.services.core.paging import LIMIT, parse_limit
from registry.services.core.permission_rules import Action
from registry.services.namespaces import readmes
from registry.services.namespaces.lookup import require_namespace
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page, public_page
from registry.web.core.pages import page_links
from registry.web.core.parameters import takes
from registry.web.namespaces import readme_html


@public_page
@takes(cursors.PARAMETER, LIMIT)
def readme_revisions(request: HttpRequest, name: str) -> HttpResponse:
    """List the revisions of a README, newest first."""
    namespace = require_namespace(name)
    page = readmes.list_revisions(
        namespace,
        after=cursors.decode_cursor(request.path, request.GET),
        limit=parse_limit(request.GET),
    )
    context = {
        "section": "namespaces",
        "namespace": namespace,
        "revisions": page.rows,
        "can_write": is_allowed(request, Action.DESCRIBE_NAMESPACE, namespace),
        **page_links(request, page.next_key),
    }
    return render(request, "registry/namespaces/readme_revisions.html", context)


@public_page
def readme_revision(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show a revision of a README, as it was then and as it was written."""
    namespace = require_namespace(name)
    readme = readmes.find_revision(namespace, number)
    newest = readmes.require_newest(namespace)
    context = {
        "section": "namespaces",
        "namespace": namespace,
        "readme": readme,
        "previous": number - 1,  # 0 for the first
        "newest": newest,
        "html": readme_html.render(readme.text),
    }
    return render(request, "registry/namespaces/readme_revision.html", context)


@public_page
def readme_changes(request: HttpRequest, name: str, old: int, new: int) -> HttpResponse:
    """Compare two revisions of a README, line by line."""
    namespace = require_namespace(name)
    before, after = (readmes.find_revision(namespace, number) for number in (old, new))
    context = {
        "section": "namespaces",
        "namespace": namespace,
        "old": before,
        "new": after,
        "sides": (before, after),
        "lines": list(text_diff.diff_lines(before.text, after.text)),
    }
    return render(request, "registry/namespaces/readme_changes.html", context)


@login_required_page
def write_readme(request: HttpRequest, name: str) -> HttpResponse:
    """Write the README, after a preview if one is wanted."""
    namespace = require_namespace(name)
    return action_view(
        request,
        WriteReadme,
        namespace,
        success_url=reverse("namespace", args=[namespace.name]),
        extra_context=lambda: _preview(request, namespace),
        section="namespaces",
        namespace=namespace,
        has_preview=True,
    )


def _preview(request: HttpRequest, namespace: Namespace) -> dict[str, Any]:
    """Return how a posted text would look, and how it differs from what others wrote meanwhile."""
    if request.method != "POST":
        return {}
    try:
        text = readmes.check_text(request.POST.get("text", ""))
    except Refused:  # the form says why
        return {}
    newest = readmes.find_newest(namespace)
    is_stale = newest is not None and request.POST.get("seen") != str(newest.number)
    return {
        "preview": readme_html.render(text) if "preview" in request.POST else None,
        "others": newest if is_stale else None,
        "lines": list(text_diff.diff_lines(newest.text, text)) if newest and is_stale else [],
    }
