"""GET digests/<digest>: a target by its content."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api import answers, patterns
from registry.api.base import Resource
from registry.api.schema import in_path, operation
from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import DIGEST
from registry.http.caching import Policy
from registry.services import resolving
from registry.services.exporting import FORMS


class Digest(Resource):
    """Exactly the digested bytes, for ever."""

    @operation(
        "digest",
        "The target by its content",
        {(200, FORMS["target"].media_type): {"type": "object"}},
        Code.REFERENCE_INVALID,
        Code.DIGEST_UNKNOWN,
        parameters=[
            in_path(
                "digest",
                {"type": "string", "pattern": patterns.CONTENT},
                "sha256:<64 hex digits>",
            )
        ],
    )
    def get(self, request: Request, digest: str) -> HttpResponse:
        """The target that has a digest."""
        if not DIGEST.fullmatch(digest):
            raise Refused(
                Code.REFERENCE_INVALID,
                f"{echo(digest)} is no digest: expected sha256: and 64 hex digits.",
            )
        return answers.of(
            request._request,
            resolving.by_digest(digest),
            media_type=FORMS["target"].media_type,
            policy=Policy.IMMUTABLE,
        )
