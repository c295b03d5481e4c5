"""The shipped server: what only a real one can show."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import pytest

START = 30  # seconds; it takes two


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of granian over an empty SQLite database, as `make serve` starts it."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment["REGISTRY_VAR"] = str(tmp_path_factory.mktemp("var"))
    (Path(environment["REGISTRY_VAR"]) / "static").mkdir()
    manage = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(manage, env=environment, check=True)
    port = free_port()
    command = [str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--no-ws"]
    command += ["--port", str(port), "--workers", "1", "registry.wsgi:application"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=START)


def wait_for(port: int) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        try:
            if ask(port, "GET", "/healthz").status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"no answer on port {port} within {START} s")


@dataclass(frozen=True)
class Answer:
    status: int
    length: int
    body: bytes

    @property
    def code(self) -> str:
        found: str = json.loads(self.body)["code"]
        return found


def ask(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return Answer(
            response.status, int(response.headers["Content-Length"] or 0), response.read()
        )


def test_empty_database_is_ready_and_answers(server: int) -> None:
    assert ask(server, "GET", "/readyz").status == 200
    response = ask(server, "GET", "/api/v1/resolve/arm/soc")
    assert (response.status, response.code) == (404, "TAG_UNKNOWN")


def test_head_comes_without_a_body(server: int) -> None:
    response = ask(server, "HEAD", "/api/v1/kinds")
    assert response.status == 200
    assert response.length > 0
    assert response.body == b""


def test_chunked_body_is_refused(server: int) -> None:
    request = (
        b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        b'9\r\n{"tag":1}\r\n0\r\n\r\n'
    )
    with socket.create_connection(("127.0.0.1", server), timeout=10) as connection:
        connection.sendall(request)  # at once: the answer does not wait for the body
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 411 ")
    assert b"LENGTH_REQUIRED" in answer


def test_large_body_is_refused(server: int) -> None:
    headers = {"Content-Type": "application/json"}
    response = ask(server, "POST", "/api/v1/check", b" " * 300_000, **headers)
    assert (response.status, response.code) == (413, "TOO_LARGE")


@pytest.mark.parametrize(
    "path", ["a/b%00", "a/b%0A", "a/b%FF", "a%2Fb%2F", "A/b", "%E2%82%AC/x", "a/b%25"]
)
def test_path_is_decoded_once_and_refused_with_a_reason(server: int, path: str) -> None:
    response = ask(server, "GET", f"/api/v1/resolve/{path}")
    assert (response.status, response.code) == (400, "REFERENCE_INVALID")


def test_encoded_slash_is_a_slash(server: int) -> None:
    response = ask(server, "GET", "/api/v1/resolve/arm%2Fsoc%3Aaot")
    assert (response.status, response.code) == (404, "TAG_UNKNOWN")


def test_foreign_host_is_refused(server: int) -> None:
    response = ask(server, "GET", "/api/v1/kinds", Host="evil.example")
    assert (response.status, response.code) == (400, "REQUEST_INVALID")
