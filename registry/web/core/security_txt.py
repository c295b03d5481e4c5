"""The security.txt (RFC 9116): whom to tell about a vulnerability of this registry."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.web.core.decorators import public_document

PATH = ".well-known/security.txt"


@public_document
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return the fields of the settings.

    Raises `Refused` (ROUTE_UNKNOWN) if there is no contact, or the file has expired: researchers
    must not use it any more.
    """
    expires = settings.SECURITY_EXPIRES
    if expires is None:
        raise Refused(Code.ROUTE_UNKNOWN, "The operator of this registry has set no contact.")
    if expires <= timezone.now():
        raise Refused(Code.ROUTE_UNKNOWN, f"The contact expired on {expires:%Y-%m-%d}.")
    text = "".join(f"{name}: {value}\n" for name, value in _fields())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _fields() -> Iterator[tuple[str, str]]:
    for contact in settings.SECURITY_CONTACTS:  # the preferred one first
        yield "Contact", contact
    yield "Expires", f"{settings.SECURITY_EXPIRES:%Y-%m-%dT%H:%M:%SZ}"
    if settings.SECURITY_POLICY:
        yield "Policy", settings.SECURITY_POLICY
    if settings.ADDRESS:
        yield "Canonical", f"{settings.ADDRESS}/{PATH}"
