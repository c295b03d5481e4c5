"""The changes of a namespace under four-eyes, and the pages that confirm or discard one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.pending_changes import PENDING_CHANGE, describe_change
from registry.models import Namespace, PendingChange
from registry.services.namespaces import four_eyes
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page

ACTIONS = {action.slug: action for action in PENDING_CHANGE.actions}


def pending_lines(namespace: Namespace) -> list[tuple[PendingChange, str]]:
    """Return the changes of a namespace that wait, each with a phrase. At most one query."""
    return [(change, describe_change(change)) for change in four_eyes.list_pending(namespace)]


@login_required_page
def pending_change(request: HttpRequest, number: int, verb: str) -> HttpResponse:
    """Show a pending change, and confirm or discard it."""
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404
    change = four_eyes.find_pending(number)
    return action_view(
        request,
        action,
        change,
        success_url=reverse("namespace", args=[change.namespace.name]),
        section="namespaces",
        change=change,
    )
