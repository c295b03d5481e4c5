"""Applications that answer with constant bytes, for `benchmarks.receiving` and `benchmarks.race`.

granian imports this module from the root of the repository.
"""

from __future__ import annotations

from typing import Any

import django

from benchmarks import constant
from registry.server.rsgi import RsgiScope
from registry.server.wsgi_calls import Environ, Response

django.setup()

from registry.server.application import Application  # noqa: E402 - needs the settings

HEADERS, BODY = constant.read()
RESPONSE = Response(200, HEADERS, BODY)


def wsgi(_environ: Environ, start_response: Any) -> list[bytes]:
    """Answer a WSGI request."""
    start_response("200 OK", HEADERS)
    return [BODY]


def from_memory(_scope: RsgiScope) -> Response:
    """Return the response ahead of the WSGI application."""
    return RESPONSE


shortcut = Application(wsgi, shortcut=from_memory)
in_thread = Application(wsgi)
