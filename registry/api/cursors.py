"""Pages of lists: a cursor says after what the next page begins, and of which question it is.

A cursor is opaque and signed. It holds the sort key of the last row of a page, so that no page gets
slower the further one reads, and rows that come and go meanwhile shift nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core import signing
from django.http import HttpRequest

from registry.domain.errors import Code, Fault, Refused, echo

PARAMETER = "cursor"
MAX_CURSOR = 1024  # characters; ours have some 200
SALT = "registry.cursor"


def after(request: HttpRequest) -> list[Any] | None:
    """The sort key after which the asked page begins; None for the first page.

    Raises `Refused` (FILTER_INVALID) for a cursor that was not handed out for this very question.
    """
    text = request.GET.get(PARAMETER)
    if text is None:
        return None
    try:
        if len(text) > MAX_CURSOR:
            raise signing.BadSignature
        question, key = signing.Signer(salt=SALT).unsign_object(text)
    except (signing.BadSignature, ValueError) as error:
        raise _refusal(text, "was not handed out by this registry") from error
    if question != _question(request):
        raise _refusal(text, "belongs to another question")
    found: list[Any] = key
    return found


def next_url(request: HttpRequest, key: Sequence[Any] | None) -> str | None:
    """Where the next page is, given the sort key of this one's last row; None at the end."""
    if key is None:
        return None
    parameters = request.GET.copy()
    content = [_question(request), list(key)]
    parameters[PARAMETER] = signing.Signer(salt=SALT).sign_object(content)
    return f"{request.path}?{parameters.urlencode()}"


def _question(request: HttpRequest) -> str:
    """Path and parameters, less the cursor, digested: a cursor fits no other."""
    parameters = request.GET.copy()
    parameters.pop(PARAMETER, None)
    return hashlib.sha256(f"{request.path}?{parameters.urlencode()}".encode()).hexdigest()[:16]


def _refusal(text: str, why: str) -> Refused:
    detail = f"The cursor {echo(text)} {why}. Begin without one, then follow `next` as it stands."
    expected = "the `next` of the page before, as it stands"
    fault = Fault("", Code.FILTER_INVALID, f"the cursor {why}", expected, echo(text))
    return Refused(Code.FILTER_INVALID, detail, faults=[fault])
