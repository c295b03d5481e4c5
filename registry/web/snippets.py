"""Commands to paste into a shell, against the very host that shows them."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse


def curl(request: HttpRequest, reference: object, form: str = "") -> str:
    """A command that resolves a reference; `form` names a format other than the usual JSON.

    The URL stands in single quotes, in which a shell reads nothing but their end.
    """
    url = request.build_absolute_uri(reverse("api:resolve", args=[reference]))
    query = f"?format={form}" if form else ""
    return f"curl -fsS '{url.replace(chr(39), '%27')}{query}'"
