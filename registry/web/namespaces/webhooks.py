"""The pages where owners list, add and remove webhooks, and read what was delivered."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.subjects import WEBHOOK
from registry.actions.webhooks import AddWebhook
from registry.domain.errors import Refused
from registry.http import reauthentication
from registry.models import Namespace, Webhook
from registry.services.core import cursors, permissions
from registry.services.core.paging import parse_limit
from registry.services.core.permission_rules import Action
from registry.services.namespaces.lookup import require_namespace
from registry.services.webhooks import delivery, registration
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page
from registry.web.core.pages import page_links
from registry.web.core.parameters import parse_number

ACTIONS = {action.slug: action for action in WEBHOOK.actions}


@login_required_page
def webhooks(request: HttpRequest, name: str) -> HttpResponse:
    """List the webhooks, with a form that adds one after the password."""
    namespace = _namespace(request, name)
    return action_view(
        request,
        AddWebhook,
        namespace,
        success_url=request.path,
        is_checked=True,
        respond=partial(_added, request),
        extra_context=lambda: {"webhooks": registration.list_webhooks(namespace)},
        section="namespaces",
        namespace=namespace,
        cancel_url=reverse("manage-namespace", args=[namespace.name]),
    )


def _added(request: HttpRequest, outcome: Outcome) -> HttpResponse:
    """Show the secret in this one response. Reloading it adds no second webhook."""
    context = {"section": "namespaces", "secret": outcome.message, "webhook": outcome.result}
    return render(request, "registry/namespaces/webhook_added.html", context)


@login_required_page
def webhook(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show what was delivered to a webhook; on POST deliver one event again."""
    namespace = _namespace(request, name)
    row = _webhook(namespace, number)
    if request.method == "POST":
        chosen = parse_number(request.POST.get("delivery", "")) or 0
        registration.redeliver(row, chosen, actor=reauthentication.actor_of(request))
        messages.success(request, "The event is delivered again, within seconds.")
        return HttpResponseRedirect(request.get_full_path())
    after = cursors.decode_cursor(request.path, request.GET)
    page = delivery.list_deliveries(row, after=after, limit=parse_limit(request.GET))
    context = {
        "section": "namespaces",
        "namespace": namespace,
        "webhook": row,
        "form_url": request.get_full_path(),
        "deliveries": page.rows,
        **page_links(request, page.next_key),
    }
    return render(request, "registry/namespaces/webhook.html", context)


@login_required_page
def webhook_action(request: HttpRequest, name: str, number: int, verb: str) -> HttpResponse:
    """Remove or enable a webhook after confirmation."""
    namespace = _namespace(request, name)
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404
    return action_view(
        request,
        action,
        _webhook(namespace, number),
        success_url=reverse("webhooks", args=[namespace.name]),
        section="namespaces",
    )


def _namespace(request: HttpRequest, name: str) -> Namespace:
    """Return a namespace whose webhooks the user may see. Raises `Refused`."""
    namespace = require_namespace(name)
    permissions.require(reauthentication.actor_of(request), Action.MANAGE_WEBHOOKS, namespace)
    return namespace


def _webhook(namespace: Namespace, number: int) -> Webhook:
    """Return a webhook of a namespace. Raises `Http404`."""
    try:
        return registration.find_webhook(namespace, number)
    except Refused:
        raise Http404 from None
