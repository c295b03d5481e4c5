"""Answers as bytes, with the headers that caches and browsers of other origins need."""

from __future__ import annotations

from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse

from registry.http.caching import Policy, set_policy
from registry.http.conditional import add_etag

EXPOSED = (
    "ETag, Content-Location, Link, Target-Version, Target-Digest, Target-Status, Target-Dropped, "
    "X-Request-ID"
)


def of(
    request: HttpRequest,
    content: str,
    *,
    media_type: str = "application/json",
    policy: Policy = Policy.FLOATING,
    status: int = 200,
) -> HttpResponse:
    """Return text as an answer; a GET has a strong ETag over its bytes, or is answered 304."""
    response = HttpResponse(content.encode(), status=status, content_type=media_type)
    response["Vary"] = "Accept, Accept-Encoding"
    response["Access-Control-Expose-Headers"] = EXPOSED
    answer = add_etag(request, set_policy(response, policy))
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def of_json(
    request: HttpRequest, value: Any, *, policy: Policy = Policy.FLOATING, **options: Any
) -> HttpResponse:
    """Return a value as JSON, otherwise as `of` does."""
    return of(request, orjson.dumps(value).decode(), policy=policy, **options)
