"""A server that sends a little now and then is given up as one that sends nothing."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from ttag import Unreachable
from ttag.http.transport import Transport

TIMEOUT = 0.5  # seconds
PAUSE = 0.02  # seconds between two pieces
PATIENT = 20.0  # seconds: what these servers would take, and what no machine needs for TIMEOUT
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
HANDSHAKE = b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc"  # of a server's hello that does not end

Pieces = Iterator[bytes]


def nothing() -> Pieces:
    while True:
        yield b""


def status_line() -> Pieces:
    yield b"HTTP/1.1 200 O"
    while True:
        yield b"K"


def header() -> Pieces:
    yield HEAD + b"X-Padding: "
    while True:
        yield b"x"


def many_headers() -> Pieces:
    yield HEAD
    for number in range(90):  # the library refuses more than 100
        yield from (b"X-", b"%d" % number, b": ", b"x", b"\r\n", *[b""] * 20)


def informational_responses() -> Pieces:
    while True:
        yield b"HTTP/1.1 100 Continue\r\n\r\n"


def body() -> Pieces:
    yield HEAD + b"Content-Length: 1000000\r\n\r\n"
    while True:
        yield b" "


def chunks() -> Pieces:
    yield HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"1\r\n \r\n"


def error_body() -> Pieces:
    yield b"HTTP/1.1 404 Not Found\r\nContent-Length: 1000000\r\n\r\n"
    while True:
        yield b" "


def tls_handshake() -> Pieces:
    yield HANDSHAKE
    while True:
        yield b"\0"


def redirects() -> Pieces:
    yield from [b""] * 15
    yield b"HTTP/1.1 302 Found\r\nLocation: /%d\r\nContent-Length: 0\r\n\r\n" % time.monotonic_ns()


class Trickle:
    """Sends the pieces of a response to each client, with pauses, for at most `PATIENT` seconds."""

    def __init__(self, pieces: Callable[[], Pieces]) -> None:
        self._pieces = pieces
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                thread = threading.Thread(target=self._serve, args=(connection,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        end = time.monotonic() + PATIENT
        with connection, suppress(OSError):
            connection.recv(65536)
            for piece in self._pieces():
                connection.sendall(piece)
                if time.monotonic() > end or self._stopped.wait(PAUSE):
                    return

    def stop(self) -> None:
        self._stopped.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()


@contextmanager
def trickling(pieces: Callable[[], Pieces]) -> Iterator[Trickle]:
    server = Trickle(pieces)
    server._threads[0].start()
    try:
        yield server
    finally:
        server.stop()


def refuse_in_time(transport: Transport) -> None:
    """Send a request, whose error must not take as long as the server would."""
    start = time.monotonic()
    with pytest.raises(Unreachable, match="did not respond in time"):
        transport.request("GET", "/")
    assert time.monotonic() - start < PATIENT / 2


@pytest.mark.parametrize(
    "pieces",
    [
        *(nothing, status_line, header, many_headers, informational_responses),
        *(body, chunks, error_body, redirects),
    ],
)
def test_whole_answer_has_one_time_limit(pieces: Callable[[], Pieces]) -> None:
    with trickling(pieces) as server:
        refuse_in_time(Transport(f"http://127.0.0.1:{server.port}", timeout=TIMEOUT))


def test_tls_handshake_is_part_of_it() -> None:
    with trickling(tls_handshake) as server:
        refuse_in_time(Transport(f"https://127.0.0.1:{server.port}", timeout=TIMEOUT))


@pytest.mark.parametrize("pieces", [nothing, status_line, many_headers])
def test_answer_of_a_proxy_is_part_of_it(
    monkeypatch: pytest.MonkeyPatch, pieces: Callable[[], Pieces]
) -> None:
    with trickling(pieces) as server:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        refuse_in_time(Transport("https://registry.example.org", timeout=TIMEOUT))


def test_slow_answer_in_time_is_taken() -> None:
    def slow() -> Pieces:
        yield from (b"HTTP/1.1 200 OK\r\n", b"Content-", b"Length: 2\r\n", b"\r\n", b"{", b"}")

    with trickling(slow) as server:
        answer = Transport(f"http://127.0.0.1:{server.port}", timeout=PATIENT).request("GET", "/")
    assert answer.body == b"{}"


def test_attempts_share_the_time_limit() -> None:
    def closes() -> Pieces:
        return iter(())

    with trickling(closes) as server:
        with pytest.raises(Unreachable):  # a busy machine may be too slow for this
            Transport(f"http://127.0.0.1:{server.port}", timeout=0.1).request("GET", "/")
        assert server.connections <= 1, "the pause before a second attempt is longer"


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_nothing_but_http_is_opened(address: str) -> None:
    with pytest.raises(Unreachable, match="unknown url type"):
        Transport(address, timeout=TIMEOUT).request("GET", "")
