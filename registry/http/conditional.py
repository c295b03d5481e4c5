"""Conditional requests (RFC 9110, section 13): a strong ETag, and 304 where the client has it."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from registry.http.names import READ_METHODS


def add_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add a strong ETag over the content of a 200 to GET or HEAD; return 304 where it matches.

    Other responses are unchanged: the conditions of a write concern the write.
    """
    if response.status_code != 200 or request.method not in READ_METHODS:
        return response
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    conditional: HttpResponse = (
        get_conditional_response(request, etag=etag, response=response) or response
    )
    return conditional
