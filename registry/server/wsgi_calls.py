"""Calls a WSGI application (PEP 3333) with a request whose body has been received."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from typing import NamedTuple

from registry.http.proxies import Environ, WsgiApplication
from registry.server.rsgi import RsgiScope


class Response(NamedTuple):
    """A response whose body is complete."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


Keep = Callable[[Response, Environ], None]  # is given the response to a request


def environ(scope: RsgiScope, body: bytes) -> Environ:
    """Return the WSGI environment of a request.

    Header names with an underscore are dropped, as nginx does: WSGI cannot tell `X_Forwarded_For`
    from `X-Forwarded-For`.
    """
    address, _, _ = scope.client.rpartition(":")
    server, _, port = scope.server.rpartition(":")
    variables: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": address.strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if scope.authority:
        variables["HTTP_HOST"] = scope.authority
    for name, value in scope.headers.items():
        if "_" not in name:
            _add_header(variables, name.upper().replace("-", "_"), value)
    return variables


def _add_header(variables: Environ, name: str, value: str) -> None:
    """Add a header. Repeated ones are joined (RFC 9110, section 5.3; RFC 6265, section 5.4)."""
    key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
    if key in variables and key != "HTTP_HOST":
        value = f"{variables[key]}{'; ' if name == 'COOKIE' else ','}{value}"
    variables[key] = value


def call(application: WsgiApplication, variables: Environ) -> Response:
    """Return the response of a WSGI application, read to its end and closed."""
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], _exc_info: object = None
    ) -> None:
        started.append((status, headers))

    chunks = application(variables, start_response)
    try:
        body = b"".join(chunks)
    finally:
        if close := getattr(chunks, "close", None):
            close()
    status, headers = started[-1]
    return Response(int(status[:3]), headers, body)
