"""The address of a client, ahead of Django, and the network whose share a request takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.conf import settings

from registry.http import proxies
from registry.http.limiter import network
from registry.server.rsgi import RsgiScope

MAX_REMEMBERED = 4096  # clients; a connection serves many requests


def scope_network(scope: RsgiScope) -> str:
    """Return the address of a client, or its /64 network, as a proxy reports it if there is one."""
    reported = client_hop(_joined(scope.headers.items())).address if settings.PROXIES else ""
    return _network(reported or socket_address(scope.client))


_network = lru_cache(maxsize=MAX_REMEMBERED)(network)


@lru_cache(maxsize=MAX_REMEMBERED)
def socket_address(client: str) -> str:
    return client.rpartition(":")[0].strip("[]")


def client_hop(headers: Mapping[str, str]) -> proxies.Hop:
    """Return the client's address and scheme as the outermost proxy reports them."""
    received = {proxies.HEADERS[name]: headers[name] for name in proxies.HEADERS.keys() & headers}
    return proxies.reported_hop(received, proxies=settings.PROXIES, headers=settings.PROXY_HEADERS)


def _joined(lines: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers of proxies; repeated ones are one list (RFC 9110, section 5.3)."""
    headers: dict[str, str] = {}
    for name, value in lines:
        if name in proxies.HEADERS:
            headers[name] = f"{headers[name]},{value}" if name in headers else value
    return headers
