"""The rate limiter: counts the requests of the last minute and rejects those beyond a limit.

Counts are kept in the database cache, shared by all server processes. Two requests at the same
moment may count as one: limits protect the server and need not be exact.
"""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from time import time

from django.conf import settings
from django.http import HttpRequest

from registry.domain.errors import Refused
from registry.http.rate_limits import ACCOUNT, ANONYMOUS, BAD_TOKEN, PREVIEW, RateLimit, RateLimited
from registry.services.core.busy_tolerant_cache import read_counts, store_counts

MINUTE = 60  # seconds
NETWORK_BITS = 64  # of an IPv6 address; clients can choose the other bits freely


def count_request(
    request: HttpRequest, *, account: int | None, is_preview: bool, is_page: bool = False
) -> None:
    """Count a request by its account, or else by its network.

    `is_preview` marks a request for impact or near duplicates, which have a lower limit without an
    account. Raises `RateLimited` beyond a limit.
    """
    if account is not None:
        _count(ACCOUNT, account, is_page=is_page)
        return
    network = client_network(request)
    _count(ANONYMOUS, network, is_page=is_page)
    if is_preview:
        _count(PREVIEW, network, is_page=is_page)


def count_bad_token(request: HttpRequest, refusal: Refused) -> None:
    """Count a rejected token; valid tokens from the same network keep working.

    Raises `RateLimited` with the reason why the token was rejected.
    """
    seconds = seconds_to_wait(BAD_TOKEN, client_network(request))
    if seconds:
        message = BAD_TOKEN.message.format(rate(BAD_TOKEN))
        raise RateLimited(f"{refusal.detail} {message}", seconds)


def _count(limit: RateLimit, client: object, *, is_page: bool) -> None:
    seconds = seconds_to_wait(limit, client)
    if seconds:
        message = limit.page_message if is_page else limit.message
        raise RateLimited(message.format(rate(limit)), seconds)


def seconds_to_wait(limit: RateLimit, client: object) -> int:
    """Count a request of a client; return 0, or the seconds until one is allowed.

    A rejected request is not counted. Nor is one of the future, which only a clock that has gone
    back can have recorded: it would lock the client out until the clock is there again.
    """
    allowed = rate(limit)
    if allowed is None:
        return 0
    now = time()
    key = f"throttle_{limit.name}_{client}"
    recent = [moment for moment in read_counts(key) if now - MINUTE < moment <= now]  # newest first
    if len(recent) >= allowed:
        return max(1, ceil(recent[allowed - 1] + MINUTE - now))
    store_counts(key, [now, *recent], MINUTE)
    return 0


def rate(limit: RateLimit) -> int | None:
    """Return the requests per minute that the settings allow; None for no limit."""
    allowed: int | None = settings.RATE_LIMITS[limit.name]
    return allowed


def client_network(request: HttpRequest) -> str:
    """Return the `network` that a request comes from."""
    return network(str(request.META.get("REMOTE_ADDR", "")))


def network(address: str) -> str:
    """Return an IPv4 address unchanged, or the /64 network of an IPv6 address."""
    try:
        parsed = ip_address(address)
    except ValueError:  # Unix sockets have no address
        return address.strip() or "local"
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((int(parsed), NETWORK_BITS), strict=False))
    return address
