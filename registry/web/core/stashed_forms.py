"""Keep a form in the session if it cannot be processed now, and restore it later.

This happens if the session ends while somebody fills in a form, or if the page is older than the
last sign-in. The form is not processed, but no input is lost: if it cannot be kept either, the
response shows it.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from registry.domain.document import MAX_BYTES
from registry.domain.errors import Code, Refused
from registry.http import limiter
from registry.http.caching import CachePolicy, set_policy
from registry.http.sessions import NETWORK
from registry.http.typed_fields import SECRET_FIELDS, typed_fields
from registry.services.accounts import sessions
from registry.services.core import request_ids
from registry.web.core import error_pages

KEY = "carried"
MAX_FORM = 2 * MAX_BYTES  # bytes: a body with its message and sources, as in the API
NOT_RESTORED = ("/accounts/", "/admin/")  # pages that do not restore a form


# Decision 040: a form sent without a login survives signing in, and is shown once.
def stash_form(request: HttpRequest, *, is_counted: bool = False) -> None:
    """Stash the posted form for its own path; `is_counted` says that its request was counted.

    Raises `Refused`: REQUEST_INVALID if it has a password or its page does not restore it,
    TOO_LARGE, RATE_LIMITED if the client has sent too many requests, or visitors too many forms.
    """
    form_data = request.POST.copy()
    is_secret = any(name in form_data for name in SECRET_FIELDS)
    if is_secret or request.path.startswith(NOT_RESTORED):
        raise Refused(Code.REQUEST_INVALID, "The registry does not keep this form.")
    form_data.pop("csrfmiddlewaretoken", None)
    size = _size(form_data)
    if size > MAX_FORM:
        raise Refused(Code.TOO_LARGE, f"The form has {size} bytes: at most {MAX_FORM} are kept.")
    if not is_counted:
        limiter.count_request(request, account=request.user.pk, is_preview=False, is_page=True)
    typed = form_data.urlencode()
    reserve_room(request, len(typed))
    request.session[KEY] = {"path": request.path, "typed": typed}


def reserve_room(request: HttpRequest, size: int) -> None:
    """Prepare the session for `size` bytes, which count for the network of a visitor.

    Raises `Refused` (RATE_LIMITED) if visitors have stored too much.
    """
    if request.user.pk is None:
        network = limiter.client_network(request)
        sessions.refuse_full(network, size)
        request.session[NETWORK] = network


def refuse_large(request: HttpRequest) -> None:
    """Raise `Refused` (TOO_LARGE) for a form that is too large for the session.

    allauth keeps a form there while it asks for the password again.
    """
    size = _size(request.POST)
    if size > MAX_FORM:
        raise Refused(Code.TOO_LARGE, f"The form has {size} bytes: at most {MAX_FORM} are allowed.")


def take_stashed(request: HttpRequest) -> QueryDict | None:
    """Return and remove the form that was stashed for this page; None if there is none."""
    stashed = request.session.get(KEY) if request.method == "GET" else None
    if not stashed or stashed["path"] != request.path:
        return None
    del request.session[KEY]
    request.session.pop(NETWORK, None)
    return QueryDict(stashed["typed"])


def sign_in_first(request: HttpRequest, *, is_counted: bool = False) -> HttpResponse:
    """Redirect to the sign-in page and stash the posted form, if any.

    If it cannot be kept, the response says why and shows what was typed.
    """
    if request.method == "POST":
        try:
            stash_form(request, is_counted=is_counted)
        except Refused as refusal:
            return _not_kept_page(request, refusal)
    return redirect_to_login(request.get_full_path())


def _not_kept_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    return error_pages.refusal_page(
        request,
        refusal,
        template="registry/errors/not_kept.html",
        form_url=request.get_full_path(),
        typed=list(typed_fields(request.POST)),
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Render the page for a failed CSRF check, with a link back to our own forms.

    A form sent by another site is not stashed: it would prefill the user's form. If one of our own
    cannot be kept, the page shows what was typed.
    """
    context: dict[str, Any] = {
        "form_url": request.get_full_path(),
        "request_id": request_ids.request_id(),
    }
    if _is_same_origin(request):
        try:
            stash_form(request)
            context["is_stashed"] = True
        except Refused as refusal:
            context |= {"detail": refusal.detail, "typed": list(typed_fields(request.POST))}
    response = render(request, "registry/errors/csrf.html", context, status=403)
    return set_policy(response, CachePolicy.NO_STORE)


def _size(form_data: QueryDict) -> int:
    """Return the bytes of a form's names and values, before percent-encoding."""
    pairs = ((name, value) for name, values in form_data.lists() for value in values)
    return sum(len(name.encode()) + len(value.encode()) for name, value in pairs)


def _is_same_origin(request: HttpRequest) -> bool:
    """Return whether the Origin header names this registry."""
    origin = f"{request.scheme}://{request.get_host()}"
    return request.headers.get("Origin") == origin
