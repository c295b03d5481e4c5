"""The URL that a page leads on to, as its parameter `next` names it."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_url(request: HttpRequest, default: str) -> str:
    """Return the URL that a request was to lead to; the default if it is of another site."""
    wanted = request.POST.get("next") or request.GET.get("next", default)
    return wanted if url_has_allowed_host_and_scheme(wanted, {request.get_host()}) else default
