"""The changes of a namespace under four-eyes, and the pages that confirm or discard one."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.pending_changes import PENDING_CHANGE, describe_change
from registry.models import Namespace, PendingChange
from registry.services.namespaces import four_eyes
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page

ACTIONS = {action.slug: action for action in PENDING_CHANGE.actions}


@dataclass(frozen=True, slots=True)
class PendingLine:
    """A change that waits for a second person, as a line of a page."""

    change: PendingChange
    phrase: str


def pending_lines(namespace: Namespace) -> list[PendingLine]:
    """Return the changes of a namespace that wait, oldest first. At most one query."""
    changes = four_eyes.list_pending(namespace)
    return [PendingLine(row, describe_change(row)) for row in changes]


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
        requested=change.created,
    )
