"""Clients that are slow, and writes that wait, do not keep others from reading."""

import json
import resource
import socket
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest

from registry.management.commands.serve import MAX_CONNECTIONS
from registry.server.large_responses import MIN_SIZE
from tests.databases import FILE
from tests.patience import PATIENCE
from tests.serving import Server, create_token, environment_of, publish, run_server, send_request

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
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            stack.enter_context(connection)
            connection.sendall(KINDS[kind])
        assert send_request(server.port, "GET", "/healthz").status == 200
        assert send_request(server.port, "GET", "/api/v1/resolve/arm/soc").status == 200
        body = b'{"tag": "acme/x", "target": {"kind": "llvm"}}'
        headers = {"Content-Type": "application/json"}
        assert send_request(server.port, "POST", "/api/v1/check", body, **headers).status == 200


# Of one address: more bodies than it may send at a time, more connections than a process has.
CROWDS = {
    "body": (2800, BODY.replace(b"/api/v1/check", b"/api/v1/versions/acme/x")),
    "form": (2800, BODY.replace(b"/api/v1/check", b"/accounts/login/")),
    "idle": (MAX_CONNECTIONS + 500, b""),
}


@pytest.mark.parametrize("kind", CROWDS)
def test_one_address_stops_neither_writes_nor_sign_ins_of_others(server: Server, kind: str) -> None:
    """Its requests never end; those of others are answered while it still waits."""
    number, head = CROWDS[kind]
    token = create_token(environment_of(server.log.parent))
    with ExitStack() as stack, ample_files(2 * number):
        for _ in range(number):
            address = ("127.0.0.1", server.port)
            crowd = socket.create_connection(address, 10, source_address=("127.0.0.2", 0))
            stack.enter_context(crowd)
            crowd.sendall(head)
        for tag in (f"acme/{kind}-1", f"acme/{kind}-2"):
            assert publish(server, token, tag) == (201, "")
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        page = send_request(server.port, "POST", "/accounts/login/", b"login=a&password=b", **form)
        assert page.status == 403, "it was read, and lacks the token of the page"


@contextmanager
def ample_files(number: int) -> Iterator[None]:
    """Let this process open many files, if it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < number:
        pytest.skip(f"not available: {number} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, number), hard))
    yield


def test_large_response_arrives_whole(server: Server) -> None:
    body = json.dumps({"references": [f"aws/c4@{number}" for number in range(1, 1001)]}).encode()
    headers = {"Content-Type": "application/json"}
    response = send_request(server.port, "POST", "/api/v1/resolve", body, **headers)
    assert response.length == len(response.body) > MIN_SIZE
    assert len(json.loads(response.body)["results"]) == 1000


def test_a_resolve_does_not_wait_for_writes(server: Server) -> None:
    """Ten publications wait for the write lock, which another process holds."""
    token = create_token(environment_of(server.log.parent))
    assert publish(server, token, "acme/board") == (201, "")
    with (
        closing(sqlite3.connect(server.log.parent / FILE, isolation_level=None)) as database,
        ThreadPoolExecutor(10) as clients,
    ):
        database.execute("BEGIN IMMEDIATE")
        tags = [f"acme/board-{number}" for number in range(10)]
        publications = [clients.submit(publish, server, token, tag) for tag in tags]
        for _ in range(20):
            assert send_request(server.port, "GET", "/api/v1/resolve/arm/soc").status == 200
        assert not any(publication.done() for publication in publications)
        database.execute("ROLLBACK")
        assert [publication.result() for publication in publications] == [(201, "")] * 10
