"""Applications that answer with constant bytes, for `benchmarks.receiving`.

granian imports this module from the root of the repository.
"""

from __future__ import annotations

from typing import Any

import django

from registry.server.rsgi import Scope
from registry.server.wsgi_calls import Environ, Response

django.setup()

from registry.server.application import Application  # noqa: E402 - needs the settings

HEADERS = [("content-type", "application/json"), ("content-length", "1500"), ("etag", '"1"')]
RESPONSE = Response(200, HEADERS, b"x" * 1500)


def wsgi(_environ: Environ, start_response: Any) -> list[bytes]:
    """Answer a WSGI request."""
    start_response("200 OK", HEADERS)
    return [RESPONSE.body]


def from_memory(_scope: Scope) -> Response:
    """Return the response ahead of the WSGI application."""
    return RESPONSE


shortcut = Application(wsgi, shortcut=from_memory)
in_thread = Application(wsgi)
