"""A server that sends prepared bytes, to act as a registry that is broken or lies."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from tests.patience import PATIENCE

CLOSED = b""  # as a response: close the connection without one


@dataclass
class ScriptedServer:
    """A listening server: each request gets the next response, the last one again and again.

    A server without responses never answers. `requests` holds what was received, head and body.
    """

    listener: socket.socket
    responses: list[bytes] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    _open: list[socket.socket] = field(default_factory=list)

    @property
    def port(self) -> int:
        port: int = self.listener.getsockname()[1]
        return port

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def serve(self) -> None:
        """Answer requests until the listener is closed."""
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.requests.append(_receive(connection))
            if not self.responses:
                self._open.append(connection)
                continue
            response = self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]
            with connection:
                connection.sendall(response)

    def close(self) -> None:
        """Stop listening and close all connections."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self._open:
            connection.close()


@contextmanager
def scripted_server() -> Iterator[ScriptedServer]:
    """Run a server in a thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = ScriptedServer(listener)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(timeout=PATIENCE)


def response(
    body: object, status: int = 200, media_type: str = "application/json", **headers: str
) -> bytes:
    """Return the bytes of a response; names of headers have underscores instead of hyphens."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        f"Content-Type: {media_type}",
        f"Content-Length: {len(data)}",
        "Connection: close",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + data


def problem(code: str, status: int, detail: str, **members: object) -> bytes:
    """Return the bytes of an error response (RFC 9457)."""
    body = {"type": f"/problems#{code}", "code": code, "status": status, "detail": detail}
    return response({**body, **members}, status, "application/problem+json")


NO_LOG = problem("ROUTE_UNKNOWN", 404, "There is no such route.")  # as release 0.1 answers
NO_CATALOGUE = NO_LOG


def _receive(connection: socket.socket) -> str:
    """Return one request: the head, and as much of the body as it states."""
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65536)
        if not chunk:
            return data.decode()
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.decode().splitlines():
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    while len(body) < length:
        body += connection.recv(65536)
    return f"{head.decode()}\r\n\r\n{body.decode()}"
