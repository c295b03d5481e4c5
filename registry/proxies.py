"""The client's address and scheme behind trusted proxies.

In WSGI, `X-Forwarded-For` and `X_Forwarded_For` are one key, and granian passes on whichever came
last. A client could overwrite the proxy's header through a proxy that passes underscores.
`Forwarded` (RFC 7239) has one spelling only.
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

# Removed from every request: servers and libraries further in might trust them.
FORWARDING_HEADERS = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)


@dataclass(frozen=True, slots=True)
class Hop:
    """The client's address and scheme as a proxy reports them; empty if it does not."""

    address: str = ""
    scheme: str = ""


def behind(application: Application, *, proxies: int, headers: str = FORWARDED) -> Application:
    """Return an application that sees the client's address and scheme behind `proxies` proxies.

    With 0, those of the socket. `headers` is FORWARDED or X_FORWARDED.
    """

    def answer(environ: Environ, start_response: Any) -> Iterable[bytes]:
        received = {name: str(environ.pop(name, "")) for name in FORWARDING_HEADERS}
        if proxies:
            hop = (
                of_forwarded(received, proxies) if headers == FORWARDED else of_x(received, proxies)
            )
            environ["REMOTE_ADDR"] = hop.address or environ.get("REMOTE_ADDR", "")
            environ["wsgi.url_scheme"] = hop.scheme or environ["wsgi.url_scheme"]
        return application(environ, start_response)

    return answer


def of_forwarded(received: Mapping[str, str], proxies: int) -> Hop:
    """Return what the outermost proxy reports in `Forwarded`.

    Each proxy appends an element. They are counted from the right, and split regardless of quotes:
    a client's unclosed quote must not swallow the elements of the proxies.
    """
    element = _nth_last(received["HTTP_FORWARDED"], proxies)
    pairs = (pair.partition("=") for pair in element.split(";"))
    fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Hop(_address(fields.get("for", "")), _scheme(fields.get("proto", "")))


def of_x(received: Mapping[str, str], proxies: int) -> Hop:
    """Return the same from `X-Forwarded-For` and `X-Forwarded-Proto`, replaced or appended to."""
    return Hop(
        _address(_nth_last(received["HTTP_X_FORWARDED_FOR"], proxies)),
        _scheme(_nth_last(received["HTTP_X_FORWARDED_PROTO"], proxies)),
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
    except ValueError:  # a name that hides the address, as RFC 7239 allows, or nonsense
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)
