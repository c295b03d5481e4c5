"""Who asks and over what, where proxies stand before the server: believed of them, of nobody else.

In WSGI, `X-Forwarded-For` and `X_Forwarded_For` are one key, and granian hands on whichever of the
two came last. Through a proxy that lets underscores pass, a client could so write over what the
proxy says. `Forwarded` (RFC 7239) is one word, and has one spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

FORWARDED = "forwarded"
X_FORWARDED = "x-forwarded"  # only behind proxies that drop names with underscores

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]

# What servers and libraries behind might believe. It is not handed on.
TOLD = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)


@dataclass(frozen=True, slots=True)
class Hop:
    """What a proxy says of the request that it was sent; empty where it does not say."""

    address: str = ""
    scheme: str = ""


def behind(application: Application, *, proxies: int, headers: str = FORWARDED) -> Application:
    """An application that sees the client's address and scheme as so many proxies report them.

    With none, as the socket has them. `headers` is FORWARDED or X_FORWARDED.
    """

    def answer(environ: Environ, start_response: Any) -> Iterable[bytes]:
        told = {name: str(environ.pop(name, "")) for name in TOLD}
        if proxies:
            hop = of_forwarded(told, proxies) if headers == FORWARDED else of_x(told, proxies)
            environ["REMOTE_ADDR"] = hop.address or environ.get("REMOTE_ADDR", "")
            environ["wsgi.url_scheme"] = hop.scheme or environ["wsgi.url_scheme"]
        return application(environ, start_response)

    return answer


def of_forwarded(told: Mapping[str, str], proxies: int) -> Hop:
    """What the outermost of so many proxies says in `Forwarded`.

    Each appends an element. They are counted from the right, and split without regard to quotes: a
    client that opens one and never closes it must not swallow what the proxies append.
    """
    element = _nth_last(told["HTTP_FORWARDED"], proxies)
    pairs = (pair.partition("=") for pair in element.split(";"))
    said = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Hop(_address(said.get("for", "")), _scheme(said.get("proto", "")))


def of_x(told: Mapping[str, str], proxies: int) -> Hop:
    """The same in `X-Forwarded-For` and `X-Forwarded-Proto`; a proxy may replace or append."""
    return Hop(
        _address(_nth_last(told["HTTP_X_FORWARDED_FOR"], proxies)),
        _scheme(_nth_last(told["HTTP_X_FORWARDED_PROTO"], proxies)),
    )


def _nth_last(header: str, count: int) -> str:
    """An element of a list in a header; the first where there are fewer."""
    elements = header.split(",")
    return elements[-min(count, len(elements))].strip()


def _scheme(text: str) -> str:
    scheme = text.strip('"').lower()
    return scheme if scheme in ("http", "https") else ""


def _address(node: str) -> str:
    """The IP address of `192.0.2.1`, `192.0.2.1:80`, `"[2001:db8::1]:80"` or `2001:db8::1`."""
    text = node.strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:  # a name that hides the address, as RFC 7239 allows, or nonsense
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)
