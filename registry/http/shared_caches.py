"""Tells shared caches in front of the registry how long they may keep an answer.

Only answers that name the tags that they were read from are kept, since only they can be forgotten
when one of these changes. Caches that read no targeted fields (RFC 9213) need settings of their own
(docs/operating).
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from registry.domain.surrogate_keys import keys_of_answer
from registry.http.caching import IMMUTABLE_LIFETIME, CachePolicy
from registry.http.names import ANSWER_TAGS, READ_METHODS

STALE_IF_ERROR = 24 * 3600  # seconds for which an answer may be given while the registry is away
PRIVATE = ("Authorization", "Cookie", "Cache-Control", "Pragma")  # of one client, or its wish

GetResponse = Callable[[HttpRequest], HttpResponse]


# Decision 167: only what can be forgotten by its tags is kept for a stated time.
def shared_cache_middleware(get_response: GetResponse) -> GetResponse:
    """Add the headers for shared caches, if `REGISTRY_SHARED_CACHE` asks for them."""
    if not settings.SHARED_CACHE:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if _may_be_shared(request, response):
            _share(request, response)
        return response

    return middleware


def _may_be_shared(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a response is the same for everybody, and can be forgotten by its tags."""
    return (
        request.method in READ_METHODS
        and response.status_code in (200, 304)
        and ANSWER_TAGS in request.META
        and not any(request.headers.get(name) for name in PRIVATE)
        and response.get("Cache-Control", "").startswith("public")
        and not response.cookies
    )


def _share(request: HttpRequest, response: HttpResponse) -> None:
    seconds = _lifetime(response)
    keys = keys_of_answer(request.META[ANSWER_TAGS])
    response["CDN-Cache-Control"] = f"max-age={seconds}, stale-if-error={STALE_IF_ERROR}"
    response["X-Accel-Expires"] = str(seconds)  # nginx, which shows it to nobody
    response["Surrogate-Key"] = " ".join(keys)  # Fastly, and Varnish by docs/operating/cache.vcl
    response["Cache-Tag"] = ",".join(keys)  # Cloudflare, Google


def _lifetime(response: HttpResponse) -> int:
    if response["Cache-Control"] == CachePolicy.IMMUTABLE:
        return IMMUTABLE_LIFETIME
    seconds: int = settings.SHARED_CACHE
    return seconds
