"""Clients that are slow, and writes that wait, do not keep others from reading."""

import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from registry.server.large_responses import MIN_SIZE
from tests.databases import FILE
from tests.serving import ROOT, Server, environment_of, run_server, send_request

SLOW = 300  # connections of each kind; eight of the first kind once stopped the server
HEAD = b"Host: localhost\r\nContent-Type: application/json\r\n"
BODY = b"POST /api/v1/check HTTP/1.1\r\n" + HEAD + b"Content-Length: 1000\r\n\r\n{"
RESOLVE = b"GET /api/v1/resolve/arm/soc HTTP/1.1\r\n" + HEAD
KINDS = {
    "body": BODY,
    "form": BODY.replace(b"/api/v1/check", b"/submit"),
    "head": RESOLVE,
    "idle": b"",
    "unread": (RESOLVE + b"\r\n") * 50,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with one process and the shipped catalogue."""
    with run_server(tmp_path_factory.mktemp("slow"), loaded=True) as running:
        yield running


@pytest.mark.parametrize("kind", KINDS)
def test_slow_clients_do_not_stop_the_server(server: Server, kind: str) -> None:
    with ExitStack() as stack:
        for _ in range(SLOW):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            stack.enter_context(connection)
            connection.sendall(KINDS[kind])
        assert send_request(server.port, "GET", "/healthz").status == 200
        assert send_request(server.port, "GET", "/api/v1/resolve/arm/soc").status == 200
        body = b'{"tag": "acme/x", "target": {"kind": "llvm"}}'
        headers = {"Content-Type": "application/json"}
        assert send_request(server.port, "POST", "/api/v1/check", body, **headers).status == 200


def test_large_response_arrives_whole(server: Server) -> None:
    body = json.dumps({"references": [f"aws/c4@{number}" for number in range(1, 1001)]}).encode()
    headers = {"Content-Type": "application/json"}
    response = send_request(server.port, "POST", "/api/v1/resolve", body, **headers)
    assert response.length == len(response.body) > MIN_SIZE
    assert len(json.loads(response.body)["results"]) == 1000


def test_a_resolve_does_not_wait_for_writes(server: Server) -> None:
    """Ten publications wait for the write lock, which another process holds."""
    authorization = f"Bearer {create_token(server.log.parent)}"

    def publish(number: int) -> int:
        body = b'{"target": {"kind": "llvm"}}'
        headers = {"Content-Type": "application/json", "Authorization": authorization}
        path = f"/api/v1/versions/acme/board-{number}"
        return send_request(
            server.port, "POST", path, body, **headers, **{"If-None-Match": "*"}
        ).status

    assert publish(0) == 201
    with (
        closing(sqlite3.connect(server.log.parent / FILE, isolation_level=None)) as database,
        ThreadPoolExecutor(10) as clients,
    ):
        database.execute("BEGIN IMMEDIATE")
        publications = [clients.submit(publish, number) for number in range(1, 11)]
        for _ in range(20):
            assert send_request(server.port, "GET", "/api/v1/resolve/arm/soc").status == 200
        assert not any(publication.done() for publication in publications)
        database.execute("ROLLBACK")
        assert [publication.result() for publication in publications] == [201] * 10


def create_token(var: Path) -> str:
    """Create an account with a namespace in the server's database; return a token."""
    result = subprocess.run(
        [sys.executable, "manage.py", "bootstrap", "alice", "acme"],
        cwd=ROOT,
        env=environment_of(var),
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.split()[-1]
