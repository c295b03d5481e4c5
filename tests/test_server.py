"""Behaviour that only the real server shows."""

import socket

import pytest

from tests.serving import Server, ask


@pytest.fixture
def server(plain_server: Server) -> int:
    """The port of granian over an empty SQLite database, as `make serve` starts it."""
    return plain_server.port


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
