"""Answers from memory are logged as Python's logging would, and counted."""

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from registry import middleware
from registry.logs import JsonLinesFormatter, PlainFormatter, RequestIdFilter
from registry.server import answer_records as module
from registry.server.answer_records import BATCH, AccessLog, Answer, AnswerRecords
from registry.services.core import metrics, request_ids, usage

ANSWER = Answer("GET", "/api/v1/resolve/arm/soc:aot", "api/v1/resolve/<x>", "arm/soc:aot", 200, 787)
ADDRESS, REQUEST_ID, TIME, SECONDS = "192.0.2.1", "abcdefgh", 1795385590.4175, 0.00012
PLAIN = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"
FORMATTERS: dict[bool, logging.Formatter] = {
    False: PlainFormatter(PLAIN),
    True: JsonLinesFormatter(),
}


class Request:
    """The request of a record, as far as the middleware logs it."""

    path, META = ANSWER.path, {"REMOTE_ADDR": ADDRESS}

    def __init__(self, method: str) -> None:
        self.method = method


class Response:
    """The response of a record."""

    status_code, streaming, content = ANSWER.status, False, bytes(ANSWER.size)


def logged(formatter: logging.Formatter, method: str, seconds: float) -> str:
    """Return the text that the middleware logs."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    handler.addFilter(RequestIdFilter())
    middleware.access_log.addHandler(handler)
    request: Any = Request(method)
    response: Any = Response()
    try:
        with request_ids.request_context(REQUEST_ID):
            middleware._log_request(logging.INFO, request, response, seconds)
    finally:
        middleware.access_log.removeHandler(handler)
    return stream.getvalue()


def add(records: AnswerRecords, answer: Answer = ANSWER, seconds: float = SECONDS) -> None:
    """Record an answer."""
    records.add(answer, ADDRESS, REQUEST_ID, seconds)


@pytest.mark.parametrize("as_json", FORMATTERS)
@pytest.mark.parametrize("answer", [ANSWER, replace(ANSWER, method="HEAD", size=0)])
@pytest.mark.parametrize("seconds", [0.0, 0.00001, 0.00005, 0.00012, 1.5])
def test_line_equals_that_of_the_middleware(
    as_json: bool, seconds: float, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.time, "time", lambda: TIME)
    log = AccessLog(logging.StreamHandler(StringIO()), as_json=as_json)
    lines = log.lines([(answer, ADDRESS, REQUEST_ID, TIME, seconds)])
    assert lines == logged(FORMATTERS[as_json], answer.method, seconds)


def test_closing_writes_all_lines_in_order() -> None:
    stream = StringIO()
    records = AnswerRecords(AccessLog(logging.StreamHandler(stream), as_json=False))
    for status in range(100, 600):
        add(records, replace(ANSWER, status=status))
    records.close()
    statuses = [int(line.split("aot ")[1][:3]) for line in stream.getvalue().splitlines()]
    assert statuses == list(range(100, 600))


def test_records_wait_for_more_only_a_fraction_of_a_second() -> None:
    written = threading.Event()

    class Stream(StringIO):
        def write(self, text: str) -> int:
            written.set()
            return super().write(text)

    records = AnswerRecords(AccessLog(logging.StreamHandler(Stream()), as_json=False))
    add(records)
    assert written.wait(20)
    records.close()


def test_records_are_full_while_nobody_reads_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 2)
    handler = logging.StreamHandler(StringIO())
    records = AnswerRecords(AccessLog(handler, as_json=False))
    with handler.lock:  # type: ignore[union-attr] # handlers have one
        for _ in range(4 * BATCH):
            add(records)
        assert records.is_full
    records.close()
    assert not records.is_full


Counted = list[tuple[Any, ...]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Counted]:
    """Return a function that returns the calls that counted something."""
    calls: Counted = []
    monkeypatch.setattr(metrics, "count_responses", lambda *call: calls.append(call))
    monkeypatch.setattr(usage, "count", lambda *call: calls.append(call))
    return lambda: calls


def test_answers_count_in_the_metrics_and_as_usage(counted: Callable[[], Counted]) -> None:
    records = AnswerRecords(None)
    for seconds in (0.25, 0.5):
        add(records, seconds=seconds)
    records.close()
    assert counted() == [
        ("GET", ANSWER.route, 200, [0.25, 0.5]),
        (ANSWER.tag, 2),
    ]


def test_answers_without_a_tag_are_no_usage(counted: Callable[[], Counted]) -> None:
    records = AnswerRecords(None)
    add(records, replace(ANSWER, tag=""))
    records.close()
    assert counted() == [("GET", ANSWER.route, 200, [SECONDS])]
