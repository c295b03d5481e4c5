"""How often somebody may ask: one table, and one function that counts.

Counts are kept in the database's cache, one for all server processes. Two requests at once can be
counted as one: a limit protects the server, it is no account of what was used.
"""

from __future__ import annotations

import time
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil

from registry.services.operation.counting import Counts

ANONYMOUS, INCLUDING, ACCOUNT, FAILURE = "anonymous", "including", "account", "failure"
RATES: dict[str, str | None] = {
    ANONYMOUS: "60/min",  # an editor that checks while somebody types does so each second
    INCLUDING: "20/min",  # impact and near duplicates look at many versions
    ACCOUNT: "300/min",  # a fast CI; published one by one, five versions a second
    FAILURE: "30/min",  # a build with an old token tries again; a 256-bit secret is not guessed
}
MINUTE = 60  # seconds
NETWORK = 64  # bits of an IPv6 address that say whose it is; the rest its owner chooses freely

_counts = Counts()


def count(scope: str, ident: object, *, now: float | None = None) -> int:
    """Count a request of somebody; 0 where it passes, else after how many seconds one would.

    One that does not pass is not counted.
    """
    most = number(scope)
    if most is None:
        return 0
    now = time.time() if now is None else now
    key = f"throttle_{scope}_{ident}"
    lately = [moment for moment in _counts.get(key, []) if moment > now - MINUTE]
    if len(lately) >= most:
        return max(1, ceil(lately[-1] + MINUTE - now))
    _counts.set(key, [now, *lately], MINUTE)
    return 0


def number(scope: str) -> int | None:
    """How many requests a minute pass; None for any number."""
    rate = RATES[scope]
    return int(rate.partition("/")[0]) if rate else None


def network(address: str) -> str:
    """Who is at the other end: an IPv4 address, or the network of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:  # a socket in the file system has none
        return address.strip() or "local"
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found), NETWORK), strict=False))
    return address
