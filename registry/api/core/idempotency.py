"""The header by which a request that is repeated has one effect."""

from __future__ import annotations

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from registry.domain.errors import Code, Fault, echo, refuse_all

KEY = "Idempotency-Key"
KEY_PATTERN = re.compile(r"[!-~]{1,36}")
KEY_HEADER = OpenApiParameter(
    KEY,
    {"type": "string", "pattern": f"^{KEY_PATTERN.pattern}$"},
    OpenApiParameter.HEADER,
    description="any text: a repeated request with the same key has no further effect",
)


def idempotency_key(request: Request) -> str:
    """Return the idempotency key of a request; empty if there is none.

    Raises `Refused` (REQUEST_INVALID).
    """
    key = request.headers.get(KEY)
    if key is not None and not KEY_PATTERN.fullmatch(key):
        message = f"{KEY}: {echo(key)} is not a valid key"
        expected = "1 to 36 characters of printable ASCII, no spaces"
        refuse_all([Fault("", Code.REQUEST_INVALID, message, expected, echo(key))])
    return key or ""
