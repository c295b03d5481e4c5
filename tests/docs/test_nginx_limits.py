"""The nginx of docs/operating counts what costs, by address, and never what builds read."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from registry.domain.errors import Code
from registry.http.problems import PROBLEMS
from tests.nginx import nodes_behind_nginx
from tests.patience import PATIENCE

MANY = 90  # requests, more than an address may send at once
CONNECTIONS = 100
OF_BUILDS = ("resolve/acme/board", "digests/sha256:0", "log/checkpoint", "events")


class Node(BaseHTTPRequestHandler):
    """A registry that has one answer."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(429 if self.path == "/api/v1/events/limited" else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Node) as node, TemporaryDirectory() as folder:
        Thread(target=node.serve_forever, daemon=True).start()
        with nodes_behind_nginx(Path(folder), [node.server_port] * 2) as port:
            yield port
        node.shutdown()


@dataclass(frozen=True)
class Answer:
    """The status, the headers and the body of a response."""

    status: int
    headers: HTTPMessage
    body: bytes


def get(connection: HTTPConnection, path: str) -> Answer:
    connection.request("GET", path)
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read())


def get_many(port: int, path: str) -> list[Answer]:
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        return [get(connection, path) for _ in range(MANY)]


def statuses(port: int, path: str) -> Counter[int]:
    return Counter(answer.status for answer in get_many(port, path))


@pytest.mark.parametrize("path", [*(f"/api/v1/{path}" for path in OF_BUILDS), "/static/site.css"])
def test_what_builds_read_is_not_counted(path: str, port: int) -> None:
    assert statuses(port, path) == {200: MANY}


@pytest.mark.parametrize("path", ["/kinds/llvm", "/api/v1/resolver", "/api/v1/tags", "/statics"])
def test_other_reads_of_an_address_are_counted(path: str, port: int) -> None:
    counted = statuses(port, path)
    assert set(counted) <= {200, 429}
    assert counted[429] > 0


def test_refusal_is_a_problem_of_the_registry(port: int) -> None:
    refusal = next(answer for answer in get_many(port, "/kinds/llvm") if answer.status == 429)
    assert refusal.headers["Retry-After"] == "1"
    assert refusal.headers["Content-Type"] == "application/problem+json"
    assert refusal.headers["X-Request-ID"]
    problem, expected = json.loads(refusal.body), PROBLEMS[Code.RATE_LIMITED]
    assert problem["code"] == Code.RATE_LIMITED
    assert problem["type"] == f"/problems#{Code.RATE_LIMITED}"
    assert (problem["title"], problem["status"]) == (expected.title, expected.status)
    assert [*problem] == ["type", "title", "status", "detail", "code", "errors", "suggestions"]


def test_refusal_of_the_registry_stays_its_own(port: int) -> None:
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        refusal = get(connection, "/api/v1/events/limited")
    assert (refusal.status, refusal.body, refusal.headers["Retry-After"]) == (429, b"", None)


def test_connections_of_an_address_are_counted(port: int) -> None:
    path = "/api/v1/resolve/acme/board"
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            connection = stack.enter_context(closing(HTTPConnection("127.0.0.1", port)))
            connection.putrequest("GET", path)
            connection.putheader("Content-Length", "10")  # which never come
            connection.endheaders()
        assert eventually(lambda: statuses(port, path)[429] > 0)
    assert eventually(lambda: statuses(port, path)[200] == MANY)


def eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not (holds := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds
