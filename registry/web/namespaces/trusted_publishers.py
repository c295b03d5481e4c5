"""The pages where owners list, register and revoke the trusted publishers of a namespace."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.trusted_publishers import RegisterPublisher, RevokePublisher
from registry.http import reauthentication
from registry.models import Namespace
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.namespaces import trusted_publishers
from registry.services.namespaces.lookup import require_namespace
from registry.web.core.action_views import action_view
from registry.web.core.decorators import login_required_page


@login_required_page
def publishers(request: HttpRequest, name: str) -> HttpResponse:
    """List the trusted publishers, with a form that registers another after the password."""
    namespace = _namespace(request, name)
    return action_view(
        request,
        RegisterPublisher,
        namespace,
        success_url=request.path,
        is_checked=True,
        extra_context=lambda: {"publishers": trusted_publishers.list_publishers(namespace)},
        section="namespaces",
        namespace=namespace,
        cancel_url=reverse("manage-namespace", args=[namespace.name]),
    )


@login_required_page
def revoke_publisher(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Revoke a trusted publisher after confirmation."""
    namespace = _namespace(request, name)
    publisher = trusted_publishers.find_publisher(namespace, number)
    if publisher is None:
        raise Http404
    return action_view(
        request,
        RevokePublisher,
        publisher,
        success_url=reverse("trusted-publishers", args=[namespace.name]),
        is_checked=True,
        section="namespaces",
        publisher=publisher,
    )


def _namespace(request: HttpRequest, name: str) -> Namespace:
    """Return a namespace whose publishers the user may see. Raises `Refused`."""
    namespace = require_namespace(name)
    permissions.require(reauthentication.actor_of(request), Action.TRUST_PUBLISHER, namespace)
    return namespace
