"""The page that watches a tag or a namespace, or stops; buttons elsewhere post to it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from registry.actions.subjects import WATCHED
from registry.http.signed_in import SignedInRequest
from registry.services.notices import watching
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page

ACTIONS = {str(action.base_fields["to"].initial): action for action in WATCHED.actions}


@login_required_page
def watch(request: SignedInRequest, name: str) -> HttpResponse:
    """Show the action that is possible now; on POST take the one that the button names."""
    watched = watching.watched_name(name, request.user)
    if watched.name != name:  # an alias
        return redirect("watch", watched.name)
    possible = "stop" if watched.is_watched else "watch"
    return action_view(
        request,
        ACTIONS.get(request.POST.get("to", ""), ACTIONS[possible]),
        watched,
        success_url=reverse("tag" if "/" in name else "namespace", args=[name]),
        is_checked=True,
        section="tags" if "/" in name else "namespaces",
    )
