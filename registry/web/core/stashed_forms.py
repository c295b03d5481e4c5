"""What somebody typed into a form that could not be taken, kept in their session for them.

A session that ended while somebody typed, or a page older than the last time they signed in: the
form is not done, and nothing typed is lost.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from registry.http.caching import Policy, set_policy
from registry.services.core import request_ids

KEY = "carried"
NOT_TYPED = ("csrfmiddlewaretoken",)
NEVER_KEPT = ("password", "password1", "password2", "oldpassword", "code")  # nor a page with one


def stash_form(request: HttpRequest) -> bool:
    """Keep what was posted for the page that it was posted to. False where it is not kept."""
    typed = request.POST.copy()
    if any(name in typed for name in NEVER_KEPT):
        return False
    for name in NOT_TYPED:
        typed.pop(name, None)
    request.session[KEY] = {"path": request.path, "typed": typed.urlencode()}
    return True


def take_stashed(request: HttpRequest) -> QueryDict | None:
    """What was typed into this page before; None where nothing was. It is given once."""
    kept = request.session.get(KEY) if request.method == "GET" else None
    if not kept or kept["path"] != request.path:
        return None
    del request.session[KEY]
    return QueryDict(kept["typed"])


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form without a good CSRF token; one of our own pages leads back to it.

    What another site sends is not kept: it would be put into somebody's form.
    """
    is_ours = _is_from_here(request)
    context = {
        "is_kept": is_ours and stash_form(request),
        "back": request.get_full_path(),
        "request_id": request_ids.request_id(),
    }
    response = render(request, "registry/errors/unverified.html", context, status=403)
    return set_policy(response, Policy.NO_STORE)


def _is_from_here(request: HttpRequest) -> bool:
    """Whether the browser says that one of our pages sent it."""
    own = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") == own
