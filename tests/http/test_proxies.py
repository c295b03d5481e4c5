"""Client addresses and schemes behind proxies."""

from collections.abc import Iterable
from typing import Any

import pytest

from registry.http import proxies
from registry.http.proxies import FORWARDED, X_FORWARDED, Hop

PEER = "10.0.0.1"  # of the socket: the nearest proxy


def seen_environ(*, count: int, headers: str = FORWARDED, **spoofed: str) -> dict[str, Any]:
    """Return the environ that an application gets behind `count` proxies."""
    environ_seen: dict[str, Any] = {}

    def application(environ: dict[str, Any], start_response: object) -> Iterable[bytes]:
        environ_seen.update(environ)
        return []

    wrapped = proxies.trust_proxies(application, proxies=count, headers=headers)
    wrapped({"REMOTE_ADDR": PEER, "wsgi.url_scheme": "http"} | spoofed, None)
    return environ_seen


@pytest.mark.parametrize("headers", [FORWARDED, X_FORWARDED])
def test_without_proxies_no_header_is_trusted(headers: str) -> None:
    spoofed = {
        "HTTP_FORWARDED": "for=6.6.6.6;proto=https",
        "HTTP_X_FORWARDED_FOR": "6.6.6.6",
        "HTTP_X_FORWARDED_PROTO": "https",
    }
    assert seen_environ(count=0, headers=headers, **spoofed) == {
        "REMOTE_ADDR": PEER,
        "wsgi.url_scheme": "http",
    }


@pytest.mark.parametrize(
    ("header", "count", "hop"),
    [
        ("for=192.0.2.1;proto=https", 1, Hop("192.0.2.1", "https")),
        ("For=192.0.2.1; Proto=HTTPS;by=10.0.0.1", 1, Hop("192.0.2.1", "https")),
        ('for="192.0.2.1:4711"', 1, Hop("192.0.2.1")),
        ('for="[2001:db8::1]:4711";proto=http', 1, Hop("2001:db8::1", "http")),
        ('for="[2001:db8::1]"', 1, Hop("2001:db8::1")),
        ("for=2001:db8::1;proto=https", 1, Hop("2001:db8::1", "https")),  # nginx's $remote_addr
        ("for=::ffff:192.0.2.1", 1, Hop("192.0.2.1")),
        ("for=192.0.2.1, for=192.0.2.2", 1, Hop("192.0.2.2")),
        ("for=192.0.2.1;proto=https, for=192.0.2.2;proto=http", 2, Hop("192.0.2.1", "https")),
        ("for=192.0.2.1", 2, Hop("192.0.2.1")),
        ("for=6.6.6.6,for=192.0.2.1,for=192.0.2.2", 2, Hop("192.0.2.1")),
        ('for=6.6.6.6;x="never closed, for=192.0.2.1;proto=https', 1, Hop("192.0.2.1", "https")),
        ("for=_hidden;proto=https", 1, Hop("", "https")),
        ("for=unknown;proto=gopher", 1, Hop()),
        ("for=;;=,", 1, Hop()),
        ("", 1, Hop()),
        ("\x00,\x00", 2, Hop()),
    ],
)
def test_forwarded_is_read_from_its_end(header: str, count: int, hop: Hop) -> None:
    assert proxies.parse_forwarded({"HTTP_FORWARDED": header}, count) == hop


@pytest.mark.parametrize(
    ("addresses", "schemes", "count", "hop"),
    [
        ("192.0.2.1", "https", 1, Hop("192.0.2.1", "https")),
        ("6.6.6.6, 192.0.2.1", "https", 1, Hop("192.0.2.1", "https")),
        ("6.6.6.6, 192.0.2.1, 192.0.2.2", "https,http", 2, Hop("192.0.2.1", "https")),
        ("2001:db8::1", "", 1, Hop("2001:db8::1")),
        ("<script>", "javascript", 1, Hop()),
    ],
)
def test_x_forwarded_is_read_from_its_end(
    addresses: str, schemes: str, count: int, hop: Hop
) -> None:
    spoofed = {"HTTP_X_FORWARDED_FOR": addresses, "HTTP_X_FORWARDED_PROTO": schemes}
    assert proxies.parse_x_forwarded(spoofed, count) == hop


def test_application_sees_the_client() -> None:
    environ_seen = seen_environ(count=1, HTTP_FORWARDED="for=192.0.2.1;proto=https")
    assert environ_seen == {"REMOTE_ADDR": "192.0.2.1", "wsgi.url_scheme": "https"}


def test_without_a_header_the_socket_is_the_client() -> None:
    assert seen_environ(count=1) == {"REMOTE_ADDR": PEER, "wsgi.url_scheme": "http"}


def test_only_the_configured_header_is_trusted() -> None:
    x = {"HTTP_X_FORWARDED_FOR": "6.6.6.6", "HTTP_X_FORWARDED_PROTO": "https"}
    assert seen_environ(count=1, **x)["REMOTE_ADDR"] == PEER
    plain = {"HTTP_FORWARDED": "for=6.6.6.6;proto=https"}
    assert seen_environ(count=1, headers=X_FORWARDED, **plain)["REMOTE_ADDR"] == PEER
    assert seen_environ(count=1, headers=X_FORWARDED, **x)["REMOTE_ADDR"] == "6.6.6.6"


def test_forwarding_headers_are_removed() -> None:
    spoofed = dict.fromkeys(proxies.FORWARDING_HEADERS, "6.6.6.6")
    assert seen_environ(count=1, HTTP_HOST="localhost", **spoofed).keys() == {
        "REMOTE_ADDR",
        "wsgi.url_scheme",
        "HTTP_HOST",
    }
