"""The production server over a real socket: forged addresses, large bodies, counters.

One server runs behind a proxy, with metrics and a JSON log.
"""

import json
import os
import re
import signal
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.servers import STALE_COUNTERS
from tests.serving import Server, send_raw, send_request, wait_for

CHECK = b'{"tag": "acme/x", "target": {"kind": "nosuch"}}'
JSON = {"Content-Type": "application/json"}
HEALTHZ_COUNTER = 'registry_requests_total{method="GET",route="healthz",status="200"}'
TLS = "Forwarded: for=192.0.2.1;proto=https"  # set by the proxy
LARGE = 30 * 2**20
MAX_GROWTH = 8 * 2**20  # bytes of memory, much less than the body


@pytest.fixture
def server(proxied_server: Server) -> Server:
    return proxied_server


@pytest.fixture
def older_server(older_proxied_server: Server) -> Server:
    return older_proxied_server


def client_address(server: Server, *headers: str) -> str:
    """Return the logged client address of a request with some headers."""
    path = f"/api/v1/nope-{time.monotonic_ns()}"
    send_raw(server.port, f"GET {path} HTTP/1.1", *headers)
    (line,) = [line for line in server.lines() if line["path"] == path]
    return str(line["address"])


def test_proxy_reports_the_client(server: Server) -> None:
    assert client_address(server, TLS) == "192.0.2.1"
    assert client_address(server) == "127.0.0.1"


@pytest.mark.parametrize(
    "forged",
    [
        "X_Forwarded_For: 6.6.6.6",
        "X-Forwarded_For: 6.6.6.6",
        "X-Forwarded-For: 6.6.6.6",
        "X-Real-Ip: 6.6.6.6",
        "Forwarded: for=6.6.6.6",
        'Forwarded: for="6.6.6.6',
        "_Forwarded: for=6.6.6.6",
        "Forwarded_: for=6.6.6.6",
    ],
)
@pytest.mark.parametrize("is_last", [True, False])
def test_client_cannot_forge_its_address(server: Server, forged: str, is_last: bool) -> None:
    """A proxy appends to `Forwarded`, and passes on other headers before or after its own."""
    is_appended_to = forged.startswith("Forwarded:")
    headers = [TLS, forged] if is_last and not is_appended_to else [forged, TLS]
    assert client_address(server, *headers) == "192.0.2.1"


BYTES = [(TLS, "Authorization: Bearer \xff"), (f"{TLS};by=\xff",), (TLS, "Cookie: a=\xc3\xa9")]


@pytest.mark.parametrize(
    ("headers", "hosts"),
    [*((headers, ["localhost"]) for headers in BYTES), ((TLS,), []), ((TLS,), ["localhost"] * 2)],
)
@pytest.mark.parametrize("path", [f"/api/v1/digests/sha256:{64 * '0'}", "/api/v1/kinds", "/tags/"])
def test_unreadable_headers_and_other_than_one_host_are_refused(
    server: Server, path: str, headers: tuple[str, ...], hosts: list[str]
) -> None:
    for _ in range(2):
        assert not send_raw(server.port, f"GET {path} HTTP/1.1", TLS).startswith(b"HTTP/1.1 400")
        head, _, body = send_raw(
            server.port, f"GET {path} HTTP/1.1", *headers, hosts=hosts
        ).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        if path.startswith("/api/"):
            assert b"content-type: application/problem+json" in head.lower()
            assert json.loads(body)["code"] == "REQUEST_INVALID"


@pytest.mark.parametrize("name", ["X-Forwarded-Proto", "X_Forwarded_Proto", "X-Forwarded_Proto"])
def test_client_cannot_forge_tls(server: Server, name: str) -> None:
    plain = "Forwarded: for=192.0.2.1;proto=http"
    answer = send_raw(server.port, "GET /api/v1/kinds HTTP/1.1", plain, f"{name}: https")
    assert answer.startswith(b"HTTP/1.1 301 ")
    assert b"location: https://localhost/api/v1/kinds" in answer.lower()


@pytest.mark.parametrize("name", ["X-Forwarded-Proto", "X_Forwarded_Proto"])
def test_client_cannot_cause_a_redirect_loop(server: Server, name: str) -> None:
    """A cached redirect would lock out everybody."""
    answer = send_raw(server.port, "GET /api/v1/kinds HTTP/1.1", TLS, f"{name}: http")
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_address_behind_an_older_proxy(older_server: Server) -> None:
    assert client_address(older_server, "X-Forwarded-For: 6.6.6.6, 192.0.2.1") == "192.0.2.1"
    assert client_address(older_server, "Forwarded: for=6.6.6.6") == "127.0.0.1"


def test_limit_applies_across_processes_and_to_one_address(server: Server) -> None:
    def check(address: str) -> int:
        headers = {"Forwarded": f"for={address};proto=https", **JSON}
        return send_request(server.port, "POST", "/api/v1/check", CHECK, **headers).status

    limit = 60  # registry.http.rate_limits.ANONYMOUS
    statuses = [check("198.51.100.1") for _ in range(limit + 5)]
    # Exact, because no two requests are simultaneous.
    assert statuses == [200] * limit + [429] * 5
    assert check("198.51.100.2") == 200


def test_long_write_does_not_delay_a_check(server: Server) -> None:
    headers = {"Forwarded": "for=198.51.100.3;proto=https", **JSON}

    def check() -> int:
        return send_request(server.port, "POST", "/api/v1/check", CHECK, **headers).status

    database = sqlite3.connect(server.log.parent / "registry.sqlite3", isolation_level=None)
    with closing(database):
        assert check() == 200
        database.execute("UPDATE registry_cache SET expires = '2020-01-01 00:00:00'")
        database.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        assert check() == 200, "its count has expired and cannot be deleted"
        assert time.monotonic() - start < 10, "a write would wait for 20 s"
        database.execute("ROLLBACK")
    assert check() == 200


def memory(server: Server) -> int:
    """Return the sum of the peak memory of the server's processes, in bytes."""
    total = 0
    for pid in processes(server):
        status = Path(f"/proc/{pid}/status").read_text()
        total += int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024
    return total


def processes(server: Server) -> list[int]:
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text()
    return [int(pid) for pid in children.split()]


@pytest.mark.parametrize("method", ["POST", "PUT"])
@pytest.mark.parametrize(
    "path",
    ["/api/v1/check", "/api/v1/versions/acme/x", "/api/v1/resolve", "/", "/admin/login/", "/no"],
)
def test_large_body_is_rejected_unread(server: Server, method: str, path: str) -> None:
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{TLS}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {LARGE}\r\n\r\n"
    )
    send_request(server.port, "GET", "/", Forwarded="for=192.0.2.1;proto=https")
    before, start = memory(server), time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode())
        response = connection.makefile("rb").read()  # the server closes the connection
    assert response.startswith(b"HTTP/1.1 413 ")
    assert b"The request has 31457280 bytes" in response
    assert time.monotonic() - start < 10, "a client may take 15 s for a head"
    assert memory(server) - before < MAX_GROWTH


def test_connection_is_closed_if_the_client_keeps_sending(server: Server) -> None:
    before = memory(server)
    head = (
        f"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\n{TLS}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {LARGE}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode())
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            connection.sendall(b" " * LARGE)
    assert memory(server) - before < MAX_GROWTH
    assert send_request(server.port, "GET", "/healthz").status == 200


def counters(server: Server) -> dict[str, float]:
    text = send_request(server.port, "GET", "/metrics").body.decode()
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_counters_add_up_all_processes(server: Server) -> None:
    before = counters(server).get(HEALTHZ_COUNTER, 0)
    for _ in range(20):
        send_request(server.port, "GET", "/healthz")
    assert counters(server)[HEALTHZ_COUNTER] == before + 20
    files = list((server.log.parent / "metrics").glob("counter_*.db"))
    assert len(files) == 2, "both processes responded"


def test_counters_have_routes_but_no_paths(server: Server) -> None:
    send_raw(
        server.port,
        "GET /api/v1/resolve/acme/secret HTTP/1.1",
        TLS,
    )
    send_raw(server.port, "BREW /pot HTTP/1.1", TLS)
    values = counters(server)
    route = "api/v1/resolve/<reference:reference>"
    assert values[f'registry_requests_total{{method="GET",route="{route}",status="404"}}'] == 1
    assert values[f'registry_request_seconds_count{{method="GET",route="{route}"}}'] == 1
    assert values['registry_refusals_total{code="TAG_UNKNOWN"}'] == 1
    assert values['registry_lane_wait_seconds_count{lane="resolve"}'] >= 1
    assert values['registry_lane_wait_seconds_count{lane="write"}'] >= 1  # the unknown method
    assert any(name.startswith('registry_requests_total{method="other"') for name in values)
    assert not any("secret" in name or "pot" in name or "BREW" in name for name in values)


def test_counters_do_not_fall_when_a_worker_is_replaced(server: Server) -> None:
    before = counters(server)
    killed = processes(server)[0]
    os.kill(killed, signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while len(set(processes(server)) - {killed}) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    wait_for(server.port)
    after = counters(server)
    assert all(after[name] >= value for name, value in before.items())


def test_counters_restart_with_the_server(server: Server) -> None:
    """The counters of an earlier server are deleted at start."""
    assert not (server.log.parent / STALE_COUNTERS).exists()
    assert counters(server)[HEALTHZ_COUNTER] >= 1


def test_metrics_are_disabled_by_default(older_server: Server) -> None:
    assert (
        send_request(older_server.port, "GET", "/metrics").status
        == send_request(older_server.port, "GET", "/nowhere").status
    )
    assert not (older_server.log.parent / "metrics").exists()


def test_every_line_of_the_log_is_an_object(server: Server) -> None:
    send_raw(server.port, "GET /a%0d%0aforged%20line HTTP/1.1", TLS)
    assert server.lines()  # parses every line
    assert not [line for line in server.lines() if line["path"] in ("/healthz", "/metrics")]
