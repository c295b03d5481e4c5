"""Responses with cache and CORS headers."""

from __future__ import annotations

from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse

from registry.http.caching import CachePolicy, set_policy
from registry.http.conditional import add_etag

EXPOSED = (
    "ETag, Content-Location, Link, Target-Version, Target-Digest, Target-Build-Key, Target-Status, "
    "Target-Dropped, X-Request-ID"
)


def of(
    request: HttpRequest,
    content: str,
    *,
    media_type: str = "application/json",
    policy: CachePolicy = CachePolicy.FLOATING,
    status: int = 200,
) -> HttpResponse:
    """Return a response with text; otherwise as `of_bytes`."""
    return of_bytes(request, content.encode(), media_type=media_type, policy=policy, status=status)


def of_bytes(
    request: HttpRequest, content: bytes, *, media_type: str, policy: CachePolicy, status: int = 200
) -> HttpResponse:
    """Return a response with bytes; for GET with a strong ETag, or 304."""
    response = HttpResponse(content, status=status, content_type=media_type)
    response["Vary"] = "Accept, Accept-Encoding"
    answer = add_etag(request, set_policy(response, policy))
    answer["Access-Control-Allow-Origin"] = "*"
    answer["Access-Control-Expose-Headers"] = EXPOSED
    return answer


def of_json(
    request: HttpRequest, value: Any, *, policy: CachePolicy = CachePolicy.FLOATING, **options: Any
) -> HttpResponse:
    """Return a response with a value as JSON; otherwise as `of`."""
    return of(request, orjson.dumps(value).decode(), policy=policy, **options)
