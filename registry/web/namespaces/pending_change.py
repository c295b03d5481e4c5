"""The pages that confirm or discard a change under four-eyes."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.confirming import ConfirmChange, DiscardChange
from registry.services.core.permissions import Action
from registry.services.namespaces import four_eyes
from registry.web.core.action_subjects import require_permission
from registry.web.core.action_views import action_view
from registry.web.core.dates import Moment
from registry.web.core.decorators import login_required_page

ACTIONS = {action.slug: action for action in (ConfirmChange, DiscardChange)}


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
        requested=Moment(change.created),
    )
