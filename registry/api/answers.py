"""Answers as bytes, with the headers that caches and browsers of other origins need."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

IMMUTABLE = "public, max-age=31536000, immutable"
EXACT = "public, max-age=300"  # can still gain a warning
FLOATING = "public, max-age=0, must-revalidate"
NOT_KEPT = "no-store"  # answers to requests that send something

EXPOSED = (
    "ETag, Content-Location, Link, Target-Version, Target-Digest, Target-Status, Target-Dropped, "
    "X-Request-ID"
)


def of(
    request: HttpRequest,
    content: str,
    *,
    media_type: str = "application/json",
    caching: str = FLOATING,
    status: int = 200,
) -> HttpResponse:
    """Text as an answer. To a GET: with a strong ETag over its bytes; 304 where they are known."""
    data = content.encode()
    response = HttpResponse(data, status=status, content_type=media_type)
    response["Cache-Control"] = caching
    response["Vary"] = "Accept, Accept-Encoding"
    response["Access-Control-Expose-Headers"] = EXPOSED
    response["Access-Control-Allow-Origin"] = "*"
    if status != 200 or request.method not in ("GET", "HEAD"):
        return response  # a condition of a write is about the write, not about its answer
    etag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    response["ETag"] = etag
    conditional = get_conditional_response(request, etag=etag, response=response) or response
    conditional["Access-Control-Allow-Origin"] = "*"
    return conditional


def of_json(request: HttpRequest, value: Any, **more: Any) -> HttpResponse:
    """A value as JSON, otherwise as `of`."""
    return of(request, json.dumps(value, ensure_ascii=False, separators=(",", ":")), **more)
