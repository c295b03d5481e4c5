"""Serves a registry for another site over HTTP, with the standard library: for behind a proxy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from ttag.errors import SettingsError
from ttag.mirror.questions import invalid
from ttag.mirror.site import Answer, Site

MAX_BODY = 1024 * 1024  # bytes of a request; 1,000 references have a fifth of that
MAX_DISCARDED = 8 * MAX_BODY
CHUNK = 64 * 1024  # bytes
TIMEOUT = 30.0  # seconds for a client to send its request


class _Handler(BaseHTTPRequestHandler):
    """Hands each request to the site of its server."""

    protocol_version = "HTTP/1.1"
    server_version = "target-tag-registry-mirror"
    sys_version = ""
    timeout = TIMEOUT
    server: _Server

    def _answer(self) -> None:
        site = self.server.site
        length = self.headers.get("Content-Length", "0")
        if self.headers.get("Transfer-Encoding") or not length.isdecimal():
            self.close_connection = True
            self._send(site.problem(invalid("its length is not stated")))
        elif int(length) > MAX_BODY:
            self.close_connection = True
            self._discard(int(length))
            self._send(site.problem(invalid(f"it has more than {MAX_BODY} bytes")))
        else:
            body = self.rfile.read(int(length))
            accept = self.headers.get_all("Accept", [])
            self._send(site.answer(self.command, self.path, body, ", ".join(accept)))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _answer  # noqa: N815 - names of the library

    def _discard(self, length: int) -> None:
        """Read a body, up to a limit: a client that still sends cannot read why it is refused."""
        left = min(length, MAX_DISCARDED)
        while left > 0 and (chunk := self.rfile.read(min(left, CHUNK))):
            left -= len(chunk)

    def _send(self, answer: Answer) -> None:
        """Send an answer, or 304 to a client that has it."""
        status, body = answer.status, answer.body
        if status == HTTPStatus.OK and self.command in {"GET", "HEAD"}:
            known = self.headers.get("If-None-Match", "").split(",")
            if answer.etag in {each.strip().removeprefix("W/") for each in known}:
                status, body = HTTPStatus.NOT_MODIFIED, b""
        self.send_response(status)
        headers = {
            "Content-Type": answer.media_type,
            "Content-Length": str(len(body)),
            "Cache-Control": answer.policy,
            "X-Content-Type-Options": "nosniff",
            **({"ETag": answer.etag} if answer.status == HTTPStatus.OK else {}),
            **self.server.site.headers(),
            **answer.headers,
        }
        if status == HTTPStatus.NOT_MODIFIED:
            del headers["Content-Type"], headers["Content-Length"]
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Write nothing: the proxy in front has a log."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], site: Site) -> None:
        self.site = site
        super().__init__(address, _Handler)


@contextmanager
def serving(site: Site, host: str, port: int) -> Iterator[int]:
    """Serve a site in threads until the end of the block; yield its port.

    Raises `SettingsError` if the address is taken or not one of this machine.
    """
    try:
        server = _Server((host, port), site)
    except OSError as error:
        raise SettingsError(f"{host}:{port} cannot be served: {error.strerror}.") from error
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
