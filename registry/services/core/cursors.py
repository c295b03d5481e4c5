"""Pages of lists: a cursor says after what the next page begins, and of which question it is.

A cursor is opaque and signed. It holds the sort key of the last row of a page, so that no page gets
slower the further one reads, and rows that come and go meanwhile shift nothing. A question is a
path with its parameters; those of the API and of pages are different ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core import signing
from django.http import QueryDict

from registry.domain.errors import Code, Fault, Refused, echo

PARAMETER = "cursor"
MAX_CURSOR = 1024  # characters; ours have some 200
SALT = "registry.cursor"


def decode_cursor(path: str, parameters: QueryDict) -> list[Any] | None:
    """The sort key after which the asked page begins; None for the first page.

    Raises `Refused` (FILTER_INVALID) for a cursor that was not handed out for this very question.
    """
    text = parameters.get(PARAMETER)
    if text is None:
        return None
    try:
        if len(text) > MAX_CURSOR:
            raise signing.BadSignature
        question, key = signing.Signer(salt=SALT).unsign_object(text)
    except (signing.BadSignature, ValueError) as error:
        raise _refusal(text, "was not handed out by this registry") from error
    if question != _question(path, parameters):
        raise _refusal(text, "belongs to another question")
    found: list[Any] = key
    return found


def next_url(path: str, parameters: QueryDict, key: Sequence[Any] | None) -> str | None:
    """Where the next page is, given the sort key of this one's last row; None at the end."""
    if key is None:
        return None
    asked = parameters.copy()
    content = [_question(path, parameters), list(key)]
    asked[PARAMETER] = signing.Signer(salt=SALT).sign_object(content)
    return f"{path}?{asked.urlencode()}"


def _question(path: str, parameters: QueryDict) -> str:
    """Path and parameters, less the cursor, digested: a cursor fits no other."""
    asked = parameters.copy()
    asked.pop(PARAMETER, None)
    return hashlib.sha256(f"{path}?{asked.urlencode()}".encode()).hexdigest()[:16]


def _refusal(text: str, why: str) -> Refused:
    detail = f"The cursor {echo(text)} {why}. Begin without one, then follow `next` as it stands."
    expected = "the `next` of the page before, as it stands"
    fault = Fault("", Code.FILTER_INVALID, f"the cursor {why}", expected, echo(text))
    return Refused(Code.FILTER_INVALID, detail, faults=[fault])
