"""A receiver of webhooks on loopback, whose responses tests choose."""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from tests.patience import PATIENCE


class Receiver:
    """The messages that a receiver got, and how it responds."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.paths: list[str] = []
        self.messages: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.status = 204
        self.location = ""  # of redirects
        self.goes_on = Event()  # when clear, clients wait for a response
        self.goes_on.set()
        self.has_message = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks"

    @property
    def ids(self) -> list[str]:
        """Return the id of each message."""
        return [headers["webhook-id"] for headers in self.headers]


class _Handler(BaseHTTPRequestHandler):
    server: "_Listener"

    def do_POST(self) -> None:
        receiver = self.server.receiver
        body = self.rfile.read(int(self.headers["Content-Length"]))
        receiver.paths.append(self.path)
        receiver.bodies.append(body)
        receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
        receiver.messages.append(json.loads(body))
        receiver.has_message.set()
        receiver.goes_on.wait(PATIENCE)
        self.send_response(receiver.status)
        if receiver.location:
            self.send_header("Location", receiver.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Write nothing."""


class _Listener(ThreadingHTTPServer):
    receiver: Receiver

    def handle_error(self, *_: Any) -> None:
        """Write nothing: clients that leave are part of the tests."""


@contextmanager
def run_receiver(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Serve HTTP on loopback, or HTTPS with a certificate."""
    listener = _Listener(("127.0.0.1", 0), _Handler)
    if context:
        listener.socket = context.wrap_socket(listener.socket, server_side=True)
    receiver = listener.receiver = Receiver(listener.server_address[1])
    Thread(target=listener.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield receiver
    finally:
        receiver.goes_on.set()
        listener.shutdown()
        listener.server_close()
