"""The changes of a namespace under four-eyes, and the pages that confirm or discard one."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.confirming import ConfirmChange, DiscardChange, describe_change
from registry.models import Namespace, PendingChange
from registry.services.core.permissions import Action
from registry.services.namespaces import four_eyes
from registry.web.core.action_subjects import require_permission
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page

ACTIONS = {action.slug: action for action in (ConfirmChange, DiscardChange)}


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
    form_class = ACTIONS.get(verb)
    if form_class is None:
        raise Http404
    change = four_eyes.find_pending(number)
    require_permission(request, Action.REVIEW, change.namespace)
    return action_view(
        request,
        form_class,
        change,
        success_url=reverse("namespace", args=[change.namespace.name]),
        template="registry/actions/pending_change.html",
        section="namespaces",
        change=change,
        requested=change.created,
    )
