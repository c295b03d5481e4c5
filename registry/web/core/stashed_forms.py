"""Keep a form in the session if it cannot be processed now, and restore it later.

This happens if the session ends while somebody fills in a form, or if the page is older than the
last sign-in. The form is not processed, but no input is lost.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from registry.http.caching import Policy, set_policy
from registry.services.core import request_ids

KEY = "carried"
SECRET_FIELDS = (
    "password",
    "password1",
    "password2",
    "oldpassword",
    "code",
)  # never stashed


def stash_form(request: HttpRequest) -> bool:
    """Stash the posted form for its own path. Returns False if it may not be stored."""
    form_data = request.POST.copy()
    if any(name in form_data for name in SECRET_FIELDS):
        return False
    form_data.pop("csrfmiddlewaretoken", None)
    request.session[KEY] = {"path": request.path, "typed": form_data.urlencode()}
    return True


def take_stashed(request: HttpRequest) -> QueryDict | None:
    """Return and remove the form that was stashed for this page; None if there is none."""
    stashed = request.session.get(KEY) if request.method == "GET" else None
    if not stashed or stashed["path"] != request.path:
        return None
    del request.session[KEY]
    return QueryDict(stashed["typed"])


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Render the page for a failed CSRF check, with a link back to our own forms.

    A form sent by another site is not stashed: it would prefill the user's form.
    """
    is_same_origin = _is_same_origin(request)
    context = {
        "is_stashed": is_same_origin and stash_form(request),
        "form_url": request.get_full_path(),
        "request_id": request_ids.request_id(),
    }
    response = render(request, "registry/errors/csrf.html", context, status=403)
    return set_policy(response, Policy.NO_STORE)


def _is_same_origin(request: HttpRequest) -> bool:
    """Return whether the Origin header names this registry."""
    origin = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") == origin
