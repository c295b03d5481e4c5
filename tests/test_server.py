"""The production server over a real socket."""

import socket

import pytest

from tests.patience import PATIENCE
from tests.serving import Server, send_request


@pytest.fixture
def server(plain_server: Server) -> int:
    """Return the port of a server with an empty SQLite database."""
    return plain_server.port


def test_server_with_an_empty_database_is_ready(server: int) -> None:
    assert send_request(server, "GET", "/readyz").status == 200
    response = send_request(server, "GET", "/api/v1/resolve/arm/soc")
    assert (response.status, response.code) == (404, "TAG_UNKNOWN")


def test_head_has_no_body(server: int) -> None:
    response = send_request(server, "HEAD", "/api/v1/kinds")
    assert response.status == 200
    assert response.length > 0
    assert response.body == b""


def test_chunked_body_is_rejected(server: int) -> None:
    request = (
        b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        b'9\r\n{"tag":1}\r\n0\r\n\r\n'
    )
    with socket.create_connection(("127.0.0.1", server), timeout=PATIENCE) as connection:
        connection.sendall(request)
        response = connection.makefile("rb").read()
    assert response.startswith(b"HTTP/1.1 411 ")
    assert b"LENGTH_REQUIRED" in response


def test_large_body_is_rejected(server: int) -> None:
    headers = {"Content-Type": "application/json"}
    response = send_request(server, "POST", "/api/v1/check", b" " * 300_000, **headers)
    assert (response.status, response.code) == (413, "TOO_LARGE")


@pytest.mark.parametrize(
    "path", ["a/b%00", "a/b%0A", "a/b%FF", "a%2Fb%2F", "A/b", "%E2%82%AC/x", "a/b%25"]
)
def test_path_is_decoded_once(server: int, path: str) -> None:
    response = send_request(server, "GET", f"/api/v1/resolve/{path}")
    assert (response.status, response.code) == (400, "REFERENCE_INVALID")


def test_encoded_slash_equals_a_slash(server: int) -> None:
    response = send_request(server, "GET", "/api/v1/resolve/arm%2Fsoc%3Aaot")
    assert (response.status, response.code) == (404, "TAG_UNKNOWN")


def test_foreign_host_is_rejected(server: int) -> None:
    response = send_request(server, "GET", "/api/v1/kinds", Host="evil.example")
    assert (response.status, response.code) == (400, "REQUEST_INVALID")
