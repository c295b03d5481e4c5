"""Encodes and decodes the cursors of paginated lists.

A cursor is opaque and signed. It holds the sort key of the last row of a page (keyset pagination),
so later pages are as fast as the first, and inserted or deleted rows do not shift pages. It also
holds a digest of the path and parameters it was issued for, and is valid for these only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core import signing
from django.http import QueryDict

from registry.domain.errors import Code, Fault, Refused, echo

PARAMETER = "cursor"
MAX_CURSOR = 1024  # characters; cursors have about 200
SALT = "registry.cursor"


def decode_cursor(path: str, parameters: QueryDict) -> list[Any] | None:
    """Return the sort key after which the requested page starts, or None for the first page.

    Raises `Refused` (FILTER_INVALID) if the cursor was not issued for this path and parameters.
    """
    text = parameters.get(PARAMETER)
    if text is None:
        return None
    try:
        if len(text) > MAX_CURSOR:
            raise signing.BadSignature
        request_digest, content = signing.Signer(salt=SALT).unsign_object(text)
    except (signing.BadSignature, ValueError) as error:
        raise _refusal(text, "was not issued by this registry") from error
    if request_digest != _request_digest(path, parameters):
        raise _refusal(text, "belongs to a different request")
    key: list[Any] = content
    return key


def next_url(path: str, parameters: QueryDict, key: Sequence[Any] | None) -> str | None:
    """Return the URL of the next page, given this page's last sort key; None on the last page."""
    if key is None:
        return None
    query = parameters.copy()
    content = [_request_digest(path, parameters), list(key)]
    query[PARAMETER] = signing.Signer(salt=SALT).sign_object(content)
    return f"{path}?{query.urlencode()}"


def first_url(path: str, parameters: QueryDict) -> str:
    """Return the URL of the first page of the list that a request has asked for."""
    query = parameters.copy()
    query.pop(PARAMETER, None)
    return f"{path}?{query.urlencode()}" if query else path


def _request_digest(path: str, parameters: QueryDict) -> str:
    return hashlib.sha256(first_url(path, parameters).encode()).hexdigest()[:16]


def _refusal(text: str, problem: str) -> Refused:
    detail = f"The cursor {echo(text)} {problem}. Start without one, then follow `next` unchanged."
    expected = "the `next` of the previous page, unchanged"
    fault = Fault("", Code.FILTER_INVALID, f"the cursor {problem}", expected, echo(text))
    return Refused(Code.FILTER_INVALID, detail, faults=[fault])
