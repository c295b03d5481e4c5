"""The lines of the access log, made by Python's logging or, for answers from memory, without it."""

import logging
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from registry.http import access_log as module
from registry.http.access_log import Answer, Record
from registry.http.logs import JsonLinesFormatter, PlainFormatter, RequestIdFilter
from registry.services.core import request_ids

ANSWER = Answer("GET", "/api/v1/resolve/arm/soc:aot", "api/v1/resolve/<x>", "arm/soc:aot", 200, 787)
ADDRESS, REQUEST_ID, TIME = "192.0.2.1", "abcdefgh", 1795385590.4175


class Request:
    """The request of a record, as far as the middleware logs it."""

    path, META = ANSWER.path, {"REMOTE_ADDR": ADDRESS}

    def __init__(self, method: str) -> None:
        self.method = method


class Response:
    """The response of a record."""

    status_code, streaming, content = ANSWER.status, False, bytes(ANSWER.size)


def logged(formatter: logging.Formatter, method: str, seconds: float) -> str:
    """Return the text that Python's logging writes."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    handler.addFilter(RequestIdFilter())
    module.log.addHandler(handler)
    request: Any = Request(method)
    response: Any = Response()
    try:
        with request_ids.request_context(REQUEST_ID):
            module.log_response(request, response, seconds)
    finally:
        module.log.removeHandler(handler)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("formatter", "text"),
    [(PlainFormatter(), module.plain_text), (JsonLinesFormatter(), module.json_text)],
    ids=["plain", "json"],
)
@pytest.mark.parametrize("answer", [ANSWER, replace(ANSWER, method="HEAD", size=0)])
@pytest.mark.parametrize("seconds", [0.0, 0.00001, 0.00005, 0.00012, 1.5])
def test_line_of_an_answer_from_memory_equals_that_of_python_s_logging(
    formatter: logging.Formatter,
    text: Callable[[Record], str],
    answer: Answer,
    seconds: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module.time, "time", lambda: TIME)
    line = text((answer, ADDRESS, REQUEST_ID, TIME, seconds))
    assert line == logged(formatter, answer.method, seconds)
