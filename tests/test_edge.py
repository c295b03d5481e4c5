"""What reaches the shipped server through a real socket: forged addresses, large bodies, counters.

One server stands behind a proxy, counts, and logs as JSON.
"""

import os
import re
import signal
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.servers import STALE_COUNTERS
from tests.serving import Server, ask, said, wait_for

CHECK = b'{"tag": "acme/x", "target": {"kind": "nosuch"}}'
JSON = {"Content-Type": "application/json"}
ALIVE = 'registry_requests_total{method="GET",route="healthz",status="200"}'
TLS = "Forwarded: for=192.0.2.1;proto=https"  # as the proxy has it
LARGE = 30 * 2**20
ROOM = 8 * 2**20  # bytes that memory may grow by meanwhile, of which none for the body


@pytest.fixture
def server(proxied_server: Server) -> Server:
    return proxied_server


@pytest.fixture
def older(older_proxied_server: Server) -> Server:
    return older_proxied_server


def asked_by(server: Server, *headers: str) -> str:
    """From where a request with these headers comes, as the log has it."""
    path = f"/api/v1/nope-{time.monotonic_ns()}"
    said(server.port, f"GET {path} HTTP/1.1", *headers)
    (line,) = [line for line in server.lines() if line["path"] == path]
    return str(line["address"])


def test_proxy_reports_the_client(server: Server) -> None:
    assert asked_by(server, TLS) == "192.0.2.1"
    assert asked_by(server) == "127.0.0.1"


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
    """A proxy appends to `Forwarded`, and hands on other headers before or after its own."""
    is_appended_to = forged.startswith("Forwarded:")
    headers = [TLS, forged] if is_last and not is_appended_to else [forged, TLS]
    assert asked_by(server, *headers) == "192.0.2.1"


@pytest.mark.parametrize("name", ["X-Forwarded-Proto", "X_Forwarded_Proto", "X-Forwarded_Proto"])
def test_client_cannot_forge_tls(server: Server, name: str) -> None:
    plain = "Forwarded: for=192.0.2.1;proto=http"
    answer = said(server.port, "GET /api/v1/kinds HTTP/1.1", plain, f"{name}: https")
    assert answer.startswith(b"HTTP/1.1 301 ")
    assert b"location: https://localhost/api/v1/kinds" in answer.lower()


@pytest.mark.parametrize("name", ["X-Forwarded-Proto", "X_Forwarded_Proto"])
def test_client_cannot_make_a_redirect_to_itself(server: Server, name: str) -> None:
    """Kept by a cache, it would shut out everybody."""
    answer = said(server.port, "GET /api/v1/kinds HTTP/1.1", TLS, f"{name}: http")
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_address_behind_an_older_proxy(older: Server) -> None:
    assert asked_by(older, "X-Forwarded-For: 6.6.6.6, 192.0.2.1") == "192.0.2.1"
    assert asked_by(older, "Forwarded: for=6.6.6.6") == "127.0.0.1"


def test_limit_holds_over_processes_and_for_one_address(server: Server) -> None:
    def check(address: str) -> tuple[int, bytes]:
        said = {"Forwarded": f"for={address};proto=https", **JSON}
        answer = ask(server.port, "POST", "/api/v1/check", CHECK, **said)
        return answer.status, answer.body

    most = 60  # registry.http.rate_limits.ANONYMOUS
    statuses = [check("198.51.100.1")[0] for _ in range(most + 5)]
    # Two at once can be counted as one; here one asks after the other.
    assert statuses == [200] * most + [429] * 5
    assert check("198.51.100.2")[0] == 200


def test_long_write_does_not_hold_up_a_check(server: Server) -> None:
    headers = {"Forwarded": "for=198.51.100.3;proto=https", **JSON}

    def check() -> int:
        return ask(server.port, "POST", "/api/v1/check", CHECK, **headers).status

    database = sqlite3.connect(server.log.parent / "registry.sqlite3", isolation_level=None)
    with closing(database):
        assert check() == 200
        database.execute("UPDATE registry_cache SET expires = '2020-01-01 00:00:00'")
        database.execute("BEGIN IMMEDIATE")
        begin = time.monotonic()
        assert check() == 200, "its count has expired, and cannot be removed"
        assert time.monotonic() - begin < 2, "a write would wait for 20 s"
        database.execute("ROLLBACK")
    assert check() == 200


def memory(server: Server) -> int:
    """The most bytes that any process of the server has ever held, all added up."""
    found = 0
    for pid in processes(server):
        status = Path(f"/proc/{pid}/status").read_text()
        found += int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024
    return found


def processes(server: Server) -> list[int]:
    listed = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


@pytest.mark.parametrize("method", ["POST", "PUT"])
@pytest.mark.parametrize(
    "path",
    ["/api/v1/check", "/api/v1/versions/acme/x", "/api/v1/resolve", "/", "/admin/login/", "/no"],
)
def test_large_body_is_refused_at_once_and_not_read(server: Server, method: str, path: str) -> None:
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{TLS}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {LARGE}\r\n\r\n"
    )
    ask(server.port, "GET", "/", Forwarded="for=192.0.2.1;proto=https")
    before, begin = memory(server), time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head.encode())  # the answer does not wait for the body
        answer = connection.makefile("rb").read()  # and the connection ends with it
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"31457280 bytes are too many" in answer
    assert time.monotonic() - begin < 5
    assert memory(server) - before < ROOM


def test_connection_is_closed_if_the_client_keeps_sending(server: Server) -> None:
    before = memory(server)
    head = (
        f"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\n{TLS}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {LARGE}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head.encode())
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            connection.sendall(b" " * LARGE)
    assert memory(server) - before < ROOM
    assert ask(server.port, "GET", "/healthz").status == 200


def counters(server: Server) -> dict[str, float]:
    text = ask(server.port, "GET", "/metrics").body.decode()
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_counters_are_those_of_all_processes(server: Server) -> None:
    before = counters(server).get(ALIVE, 0)
    for _ in range(20):
        ask(server.port, "GET", "/healthz")
    assert counters(server)[ALIVE] == before + 20
    files = list((server.log.parent / "metrics").glob("counter_*.db"))
    assert len(files) == 2, "both answered"


def test_counters_name_routes_never_paths(server: Server) -> None:
    said(
        server.port,
        "GET /api/v1/resolve/acme/secret HTTP/1.1",
        TLS,
    )
    said(server.port, "BREW /pot HTTP/1.1", TLS)
    found = counters(server)
    route = "api/v1/resolve/<reference:reference>"
    assert found[f'registry_requests_total{{method="GET",route="{route}",status="404"}}'] == 1
    assert found[f'registry_request_seconds_count{{method="GET",route="{route}"}}'] == 1
    assert found['registry_refusals_total{code="TAG_UNKNOWN"}'] == 1
    assert any(name.startswith('registry_requests_total{method="other"') for name in found)
    assert not any("secret" in name or "pot" in name or "BREW" in name for name in found)


def test_counters_do_not_fall_when_a_worker_is_replaced(server: Server) -> None:
    before = counters(server)
    died = processes(server)[0]
    os.kill(died, signal.SIGKILL)
    deadline = time.monotonic() + 20
    while len(set(processes(server)) - {died}) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    wait_for(server.port)
    after = counters(server)
    assert all(after[name] >= value for name, value in before.items())


def test_counters_restart_with_the_server(server: Server) -> None:
    """Its folder held the counters of an earlier one when it started, which can be read no more."""
    assert not (server.log.parent / STALE_COUNTERS).exists()
    assert counters(server)[ALIVE] >= 1


def test_nothing_is_counted_unless_asked_for(older: Server) -> None:
    assert ask(older.port, "GET", "/metrics").status == ask(older.port, "GET", "/nowhere").status
    assert not (older.log.parent / "metrics").exists()


def test_every_line_of_the_log_is_an_object(server: Server) -> None:
    said(server.port, "GET /a%0d%0aforged%20line HTTP/1.1", TLS)
    assert server.lines()  # parses every line
    assert not [line for line in server.lines() if line["path"] in ("/healthz", "/metrics")]
