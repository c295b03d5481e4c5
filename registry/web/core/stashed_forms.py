"""Keep a form in the session if it cannot be processed now, and restore it later.

This happens if a session ends while somebody types, or if a page is older than the last sign-in:
the form is not processed, but nothing typed is lost.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from registry.http.caching import Policy, set_policy
from registry.services.core import request_ids

KEY = "carried"
OMITTED_FIELDS = ("csrfmiddlewaretoken",)
SECRET_FIELDS = (
    "password",
    "password1",
    "password2",
    "oldpassword",
    "code",
)  # not stashed


def stash_form(request: HttpRequest) -> bool:
    """Stash the posted form for its own path. Returns False if it may not be stored."""
    typed = request.POST.copy()
    if any(name in typed for name in SECRET_FIELDS):
        return False
    for name in OMITTED_FIELDS:
        typed.pop(name, None)
    request.session[KEY] = {"path": request.path, "typed": typed.urlencode()}
    return True


def take_stashed(request: HttpRequest) -> QueryDict | None:
    """Return and remove the form that was stashed for this page; None if there is none."""
    kept = request.session.get(KEY) if request.method == "GET" else None
    if not kept or kept["path"] != request.path:
        return None
    del request.session[KEY]
    return QueryDict(kept["typed"])


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Render the page for a failed CSRF check, with a link back for our own forms.

    A form sent from another site is not stashed: it would fill the user's form.
    """
    is_ours = _is_same_origin(request)
    context = {
        "is_kept": is_ours and stash_form(request),
        "back": request.get_full_path(),
        "request_id": request_ids.request_id(),
    }
    response = render(request, "registry/errors/unverified.html", context, status=403)
    return set_policy(response, Policy.NO_STORE)


def _is_same_origin(request: HttpRequest) -> bool:
    """Return whether the browser says that one of our pages sent the request."""
    own = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") == own
