"""The access log of answers from memory has the lines that Python's logging would write."""

import logging
from io import StringIO
from typing import Any

import pytest

from registry import middleware
from registry.logs import JsonLinesFormatter, PlainFormatter, RequestIdFilter
from registry.server import access_log as module
from registry.server.access_log import AccessLog, Line
from registry.services.core import request_ids

NOW = 1795385590.4175
LINE = Line("GET", "/api/v1/resolve/arm/soc:aot", 200, 0.1, 787, "192.0.2.1", "abcdefgh")
PLAIN = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
FORMATTERS: dict[bool, logging.Formatter] = {
    False: PlainFormatter(PLAIN),
    True: JsonLinesFormatter(),
}


class Request:
    """The request of the line, as far as the middleware logs it."""

    method, path, META = LINE.method, LINE.path, {"REMOTE_ADDR": LINE.address}


class Response:
    """The response of the line."""

    status_code, streaming, content = LINE.status, False, bytes(LINE.size)


def logged(formatter: logging.Formatter) -> str:
    """Return the text that the middleware logs."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    handler.addFilter(RequestIdFilter())
    middleware.access_log.addHandler(handler)
    request: Any = Request()
    response: Any = Response()
    try:
        with request_ids.request_context(LINE.request_id):
            middleware._log_request(logging.INFO, request, response, LINE.ms / 1000)
    finally:
        middleware.access_log.removeHandler(handler)
    return stream.getvalue()


@pytest.mark.parametrize("as_json", FORMATTERS)
def test_line_equals_that_of_the_middleware(as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.time, "time", lambda: NOW)
    stream = StringIO()
    log = AccessLog(logging.StreamHandler(stream), as_json=as_json)
    log.add(LINE)
    log.close()
    assert stream.getvalue() == logged(FORMATTERS[as_json])


def test_closing_writes_all_lines_in_order() -> None:
    stream = StringIO()
    log = AccessLog(logging.StreamHandler(stream), as_json=False)
    for status in range(100, 600):
        log.add(LINE._replace(status=status))
    log.close()
    statuses = [int(line.split("aot ")[1][:3]) for line in stream.getvalue().splitlines()]
    assert statuses == list(range(100, 600))
