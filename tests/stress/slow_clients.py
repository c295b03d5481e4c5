"""Clients that keep connections without using them, and requests that no client should send."""

import random
import resource
import socket
import struct
import time
from contextlib import suppress

HOST = "Host: localhost\r\n"
BODY = "Content-Type: application/json\r\nContent-Length: 1000\r\n"
OPENINGS = {  # what each kind sends first; it then sends or receives a byte a second
    "slow body": f"POST /api/v1/check HTTP/1.1\r\n{HOST}{BODY}\r\n{{",
    "slow header": "GET /api/v1/resolve/arm/soc HTTP/1.1\r\nX",
    "idle": "",
    "slow reader": f"GET /api/v1/openapi.json HTTP/1.1\r\n{HOST}\r\n",
    "half-closed": f"POST /api/v1/check HTTP/1.1\r\n{HOST}{BODY}\r\n{{",
}
DRIP = {"slow body": b" ", "slow header": b"x"}
HUGE = 10**10
BROKEN = {  # name: bytes of a request; the response must be an error of the client, or none
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
    "bad request line": b"GET\r\n\r\n",
    "bad header": f"GET /healthz HTTP/1.1\r\n{HOST}no colon\r\n\r\n".encode(),
    "huge header": f"GET /healthz HTTP/1.1\r\n{HOST}X: {'x' * 600_000}\r\n\r\n".encode(),
    "huge Content-Length": (
        f"POST /api/v1/check HTTP/1.1\r\n{HOST}Content-Length: {HUGE}\r\n\r\n{{}}".encode()
    ),
    "negative Content-Length": (
        f"POST /api/v1/check HTTP/1.1\r\n{HOST}Content-Length: -1\r\n\r\n{{}}".encode()
    ),
    "oversize body": (
        f"POST /api/v1/check HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
        f"Content-Length: 2000000\r\n\r\n".encode()
        + b" " * 2_000_000
    ),
    "chunked body": (
        f"POST /api/v1/check HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".encode()
    ),
    "bad chunk": (
        f"POST /api/v1/check HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode()
    ),
    "bad path": f"GET /api/v1/resolve/%ff%00/\xe9 HTTP/1.1\r\n{HOST}\r\n".encode("latin-1"),
    "deep nesting": (
        f"POST /api/v1/check HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
        f"Content-Length: 60000\r\n\r\n".encode()
        + b"[" * 60_000
    ),
}


def allow_many_sockets() -> None:
    """Raise the number of open files to what this process may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def hold_sockets(port: int, kinds: list[str], seconds: float) -> None:
    """Keep a slow connection of each kind for some seconds, opening closed ones again."""
    deadline = time.monotonic() + seconds
    clients = [SlowClient(port, kind) for kind in kinds]
    try:
        while time.monotonic() < deadline:
            for client in clients:
                if time.monotonic() < deadline:  # a server that accepts nothing takes a second
                    client.drip()
            time.sleep(1)
    finally:
        for client in clients:
            client.close()


class SlowClient:
    """A connection of one kind, opened by the first call of `drip`."""

    def __init__(self, port: int, kind: str) -> None:
        self._port = port
        self._kind = kind
        self._socket: socket.socket | None = None

    def drip(self) -> None:
        """Send or receive one byte; open the connection again if it was closed."""
        try:
            if self._socket is None:
                raise ConnectionError
            if byte := DRIP.get(self._kind):
                self._socket.send(byte)
            elif self._kind != "idle" and self._socket.recv(1) == b"":
                raise ConnectionError
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            self._open()

    def close(self) -> None:
        if self._socket:
            self._socket.close()

    def _open(self) -> None:
        try:
            self._socket = connect(self._port)
            self._socket.sendall(OPENINGS[self._kind].encode())
            if self._kind == "half-closed":
                self._socket.shutdown(socket.SHUT_WR)
            self._socket.setblocking(False)
        except OSError:
            self.close()
            self._socket = None


def connect(port: int) -> socket.socket:
    """Return a connection with a small buffer for what it receives."""
    connection = socket.socket()
    connection.settimeout(1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        connection.connect(("127.0.0.1", port))
    except OSError:
        connection.close()
        raise
    return connection


def vanish(port: int, request: bytes, rng: random.Random) -> None:
    """Send a part of a request or all of it, and reset the connection without reading."""
    length = len(request) if rng.random() < 0.5 else rng.randrange(len(request))
    with suppress(OSError), connect(port) as connection:
        connection.sendall(request[:length])
        time.sleep(rng.uniform(0, 0.05))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def status_of_broken(port: int, request: bytes) -> int:
    """Send bytes; return the status of the response, 0 if there is none."""
    try:
        with connect(port) as connection:
            with suppress(OSError):
                connection.sendall(request)
            line = connection.recv(64).split()
            return int(line[1]) if len(line) > 1 and line[1].isdigit() else 0
    except OSError:
        return 0
