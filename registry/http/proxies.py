"""Determines the client's address and scheme behind trusted proxies.

In WSGI, `X-Forwarded-For` and `X_Forwarded_For` are one key. `registry.server` drops names with
underscores; `Forwarded` (RFC 7239) cannot be spelled with them, whatever the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

# Decision 026: trusted by default, because its name has no hyphen, so no second spelling.
FORWARDED = "forwarded"
X_FORWARDED = "x-forwarded"  # only behind proxies that drop names with underscores

Environ = dict[str, Any]
WsgiApplication = Callable[[Environ, Any], Iterable[bytes]]

# Removed from every request, so that no server or library behind this one trusts them.
FORWARDING_HEADERS = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)
HEADERS = {name[5:].lower().replace("_", "-"): name for name in FORWARDING_HEADERS}  # as in HTTP


@dataclass(frozen=True, slots=True)
class Hop:
    """The client's address and scheme as reported by a proxy; empty if unreported."""

    address: str = ""
    scheme: str = ""


def trust_proxies(
    application: WsgiApplication, *, proxies: int, headers: str = FORWARDED
) -> WsgiApplication:
    """Wrap an application so that it sees the client's address and scheme behind proxies.

    With 0 proxies, those of the socket. `headers` is FORWARDED or X_FORWARDED.
    """

    def wrapped(environ: Environ, start_response: Any) -> Iterable[bytes]:
        received = {name: str(environ.pop(name, "")) for name in FORWARDING_HEADERS}
        if proxies:
            hop = reported_hop(received, proxies=proxies, headers=headers)
            environ["REMOTE_ADDR"] = hop.address or environ.get("REMOTE_ADDR", "")
            environ["wsgi.url_scheme"] = hop.scheme or environ["wsgi.url_scheme"]
        return application(environ, start_response)

    return wrapped


def reported_hop(received: Mapping[str, str], *, proxies: int, headers: str) -> Hop:
    """Return the hop that the outermost proxy reports. `received` has the names of WSGI."""
    parse = parse_forwarded if headers == FORWARDED else parse_x_forwarded
    return parse(received, proxies)


def parse_forwarded(received: Mapping[str, str], proxies: int) -> Hop:
    """Return the hop that the outermost proxy reports in `Forwarded`.

    Each proxy appends an element. Elements are counted from the right and split regardless of
    quotes, so that a client's unclosed quote cannot swallow those of the proxies.
    """
    element = _nth_last(received.get("HTTP_FORWARDED", ""), proxies)
    pairs = (pair.partition("=") for pair in element.split(";"))
    fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Hop(_address(fields.get("for", "")), _scheme(fields.get("proto", "")))


def parse_x_forwarded(received: Mapping[str, str], proxies: int) -> Hop:
    """Return the hop from `X-Forwarded-For` and `X-Forwarded-Proto`, set or appended to."""
    return Hop(
        _address(_nth_last(received.get("HTTP_X_FORWARDED_FOR", ""), proxies)),
        _scheme(_nth_last(received.get("HTTP_X_FORWARDED_PROTO", ""), proxies)),
    )


def _nth_last(header: str, count: int) -> str:
    """Return an element of a comma-separated header; the first if there are fewer."""
    elements = header.split(",")
    return elements[-min(count, len(elements))].strip()


def _scheme(text: str) -> str:
    scheme = text.strip('"').lower()
    return scheme if scheme in ("http", "https") else ""


def _address(node: str) -> str:
    """Return the IP of `192.0.2.1`, `192.0.2.1:80`, `"[2001:db8::1]:80"` or `2001:db8::1`."""
    text = node.strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:  # an obfuscated identifier (RFC 7239, section 6.3), or invalid
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)
