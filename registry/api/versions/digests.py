"""GET digests/<digest>: a target by its digest."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import responses
from registry.api.core.openapi_schema import in_path, operation
from registry.api.core.resource import Resource
from registry.domain.errors import Code, Refused, echo
from registry.http import patterns
from registry.http.caching import CachePolicy
from registry.http.names import ANSWER_TAGS
from registry.services.versions import resolving
from registry.services.versions.exporting import EXPORT_FORMATS
from ttag_rules.selectors import DIGEST


class Digest(Resource):
    """The canonical bytes of a target, which never change."""

    @operation(
        "digest",
        "The target with a digest",
        {(200, EXPORT_FORMATS["target"].media_type): {"type": "object"}},
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
        """Return the target with a digest."""
        if not DIGEST.fullmatch(digest):
            raise Refused(
                Code.REFERENCE_INVALID,
                f"{echo(digest)} is not a digest: expected sha256: and 64 hex digits.",
            )
        target, tag = resolving.find_target(digest)
        request.META[ANSWER_TAGS] = frozenset([tag])
        return responses.of(
            request,
            target,
            media_type=EXPORT_FORMATS["target"].media_type,
            policy=CachePolicy.IMMUTABLE,
        )
