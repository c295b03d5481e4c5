"""The page that a link in mail leads to: it ends that mail, without signing in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from registry.actions.news import KIND_LABELS
from registry.services.notices import unsubscribing
from registry.web.core.decorators import private_page


# RFC 8058: mail programs post without cookies, so there is no CSRF token. The signed link is what
# permits it; a GET, which programs that scan mail make, changes nothing.
@csrf_exempt
@private_page
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Show which mail the link ends; on POST end it. Raises `Refused` for a wrong link."""
    subscription = unsubscribing.read_token(request.GET.get(unsubscribing.TOKEN, ""))
    if request.method == "POST":
        unsubscribing.unsubscribe(subscription)
    context = {
        "username": subscription.user.username,
        "kinds": [KIND_LABELS[kind] for kind in subscription.kinds],
        "is_done": request.method == "POST",
        "form_url": request.get_full_path(),
    }
    return render(request, "registry/accounts/unsubscribe.html", context)
