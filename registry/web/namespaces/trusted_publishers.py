"""The pages where owners list, register and revoke the trusted publishers of a namespace."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.actions.trusted_publishers import RegisterPublisher, RevokePublisher
from registry.http import reauthentication
from registry.services.accounts import trusted_publishers
from registry.services.core import permissions
from registry.services.core.permissions import Action, Actor
from registry.services.namespaces.lookup import require_namespace
from registry.web.core.action_views import action_view, attempt_with_password, signed_in_user
from registry.web.core.decorators import login_required_page


@login_required_page
def publishers(request: HttpRequest, name: str) -> HttpResponse:
    """List the trusted publishers, with a form that registers another after the password."""
    namespace = require_namespace(name)
    actor = reauthentication.actor_of(request)
    permissions.require(actor, Action.TRUST_PUBLISHER, namespace)
    form = RegisterPublisher(namespace, actor, request.POST if request.method == "POST" else None)
    outcome, status = attempt_with_password(request, form, actor)
    if outcome is not None:
        messages.success(request, outcome.message)
        return HttpResponseRedirect(request.path)
    context = {
        "section": "namespaces",
        "namespace": namespace,
        "form": form,
        "form_url": request.path,
        "cancel_url": reverse("manage-namespace", args=[namespace.name]),
        "publishers": trusted_publishers.list_publishers(namespace),
    }
    return render(request, "registry/namespaces/publishers.html", context, status=status)


@login_required_page
def revoke_publisher(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Revoke a trusted publisher after confirmation."""
    namespace = require_namespace(name)
    permissions.require(Actor(signed_in_user(request)), Action.TRUST_PUBLISHER, namespace)
    publisher = trusted_publishers.find_publisher(namespace, number)
    if publisher is None:
        raise Http404
    return action_view(
        request,
        RevokePublisher,
        publisher,
        success_url=reverse("trusted-publishers", args=[namespace.name]),
        section="namespaces",
        publisher=publisher,
    )
