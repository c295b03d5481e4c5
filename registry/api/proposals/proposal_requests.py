"""Parsing of requests about proposals."""

from __future__ import annotations

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from registry.api.core.openapi_schema import in_path
from registry.api.core.request_bodies import Members
from registry.api.versions import request_targets
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.domain.reference import Tag as TagName
from registry.services.proposals import submission
from registry.services.proposals.submission import Submission

KEY = "Idempotency-Key"
KEY_PATTERN = re.compile(r"[!-~]{1,36}")
NUMBER = re.compile(r"[1-9][0-9]{0,17}")  # more digits fit in no column

NUMBER_IN_PATH = in_path(
    "number",
    {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
    "the number of the proposal",
    *("the first", 1),
)
KEY_HEADER = OpenApiParameter(
    KEY,
    {"type": "string", "pattern": f"^{KEY_PATTERN.pattern}$"},
    OpenApiParameter.HEADER,
    description="any text: a repeated request with the same key has no further effect",
)


def read_submission(members: Members, tag: TagName) -> Submission:
    """Return the submitted body; without a base, the base is the last published version."""
    return Submission(
        source=request_targets.body(members),
        message=members["message"],
        sources=members["sources"],
        base=members["base"] if "base" in members else submission.last_published(tag),
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


def proposal_number(text: str) -> int:
    """Return the number of the proposal in a path. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    if not NUMBER.fullmatch(text):
        raise Refused(Code.PROPOSAL_UNKNOWN, f"There is no proposal {echo(text) or '(empty)'}.")
    return int(text)
