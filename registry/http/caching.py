"""Cache policies: how long caches may keep a response, and 304 when they ask again.

| response | policy |
|---|---|
| a digest; a version by its exact number, in a format without status or warnings | `IMMUTABLE` |
| a version by its exact number, otherwise | `EXACT` |
| a floating reference, an alias, a list, a feed, the sitemap | `FLOATING` |
| a page, which shows who is signed in and their theme; a result to go back to | `PERSONAL` |
| other forms and their results, errors of the API, probes | `NO_STORE` |

Django's admin sends `never_cache` headers of its own, and WhiteNoise those of static files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import ParamSpec

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from registry.http.names import READ_METHODS

P = ParamSpec("P")

IMMUTABLE_LIFETIME = 365 * 24 * 3600  # seconds


class CachePolicy(StrEnum):
    """The `Cache-Control` values that the registry sends."""

    IMMUTABLE = f"public, max-age={IMMUTABLE_LIFETIME}, immutable"  # RFC 8246
    EXACT = "public, max-age=300"  # a yank or a warning can still come
    FLOATING = "public, max-age=0, must-revalidate"
    PERSONAL = "private, no-cache"
    NO_STORE = "no-store"


def set_policy(response: HttpResponse, policy: CachePolicy) -> HttpResponse:
    """Set the `Cache-Control` of a policy, and `Vary: Cookie` where readers get different pages."""
    response["Cache-Control"] = policy.value
    if policy is CachePolicy.PERSONAL:
        patch_vary_headers(response, ["Cookie"])
    return response


def cached(policy: CachePolicy) -> Callable[[Callable[P, HttpResponse]], Callable[P, HttpResponse]]:
    """Decorate a view so that its responses have a policy."""

    def decorate(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
        @wraps(view)
        def decorated(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            return set_policy(view(*args, **kwargs), policy)

        return decorated

    return decorate


def version_policy(*, is_exact: bool, is_closed: bool = False) -> CachePolicy:
    """Return the cache policy for a version.

    `is_exact` means that it was named by its full number or digest; `is_closed`, that the format
    holds nothing that can change, such as a status or a warning.
    """
    if not is_exact:
        return CachePolicy.FLOATING
    return CachePolicy.IMMUTABLE if is_closed else CachePolicy.EXACT


def add_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add a strong ETag over the content of a 200 to GET or HEAD; return 304 where it matches.

    RFC 9110, section 13. Other responses are unchanged: the conditions of a write concern it.
    """
    if response.status_code != 200 or request.method not in READ_METHODS:
        return response
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    conditional: HttpResponse = (
        get_conditional_response(request, etag=etag, response=response) or response
    )
    return conditional
