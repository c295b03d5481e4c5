"""Answers from memory are logged and counted, in batches."""

import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from registry.http.access_log import Answer
from registry.server import answer_records as module
from registry.server.answer_records import BATCH, AnswerRecords
from registry.services.core import metrics, usage

ANSWER = Answer("GET", "/api/v1/resolve/arm/soc:aot", "api/v1/resolve/<x>", "arm/soc:aot", 200, 787)
ADDRESS, REQUEST_ID, SECONDS = "192.0.2.1", "abcdefgh", 0.00012


def add(records: AnswerRecords, answer: Answer = ANSWER, seconds: float = SECONDS) -> None:
    """Record an answer."""
    records.add(answer, ADDRESS, REQUEST_ID, seconds)


def test_closing_writes_all_lines_in_order() -> None:
    stream = StringIO()
    records = AnswerRecords(logging.StreamHandler(stream))
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

    records = AnswerRecords(logging.StreamHandler(Stream()))
    add(records)
    assert written.wait(20)
    records.close()


def test_records_are_full_while_nobody_reads_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 2)
    handler = logging.StreamHandler(StringIO())
    records = AnswerRecords(handler)
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
