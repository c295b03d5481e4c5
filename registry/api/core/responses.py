"""Responses with cache and CORS headers."""

from __future__ import annotations

from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse

from registry.http.caching import CachePolicy, add_etag, set_policy

EXPOSED = (
    "ETag, Content-Location, Link, Target-Version, Target-Digest, Target-Build-Key, Target-Status, "
    "Target-Dropped, X-Request-ID"
)


def of(
    request: HttpRequest,
    content: str | bytes,
    *,
    media_type: str = "application/json",
    policy: CachePolicy = CachePolicy.FLOATING,
    status: int = 200,
) -> HttpResponse:
    """Return a response with text, as UTF-8, or bytes; for GET with a strong ETag, or 304."""
    data = content.encode() if isinstance(content, str) else content
    response = HttpResponse(data, status=status, content_type=media_type)
    response["Vary"] = "Accept, Accept-Encoding"
    answer = add_etag(request, set_policy(response, policy))
    answer["Access-Control-Allow-Origin"] = "*"
    answer["Access-Control-Expose-Headers"] = EXPOSED
    return answer


def of_json(request: HttpRequest, value: Any, **options: Any) -> HttpResponse:
    """Return a response with a value as JSON; otherwise as `of`."""
    return of(request, orjson.dumps(value), **options)
