"""The log formatters."""

import json
import logging
import sys
from typing import Any

import pytest
from django.test import RequestFactory

from registry.http.logs import JsonLinesFormatter, PlainFormatter, RequestIdFilter
from registry.services.core import request_ids

NASTY = "x\n2026-11-21 INFO registry.access forged\r\x1b[31m\x00\u2028\x9b"


def record(message: str = "hello", **extra: Any) -> logging.LogRecord:
    result = logging.makeLogRecord({"name": "registry", "levelname": "INFO", "msg": message})
    result.__dict__.update(extra)
    assert RequestIdFilter().filter(result)
    return result


def failure(message: str) -> logging.LogRecord:
    try:
        raise ValueError(message)
    except ValueError:
        return record(exc_info=sys.exc_info())


@pytest.mark.parametrize(
    "formatter", [PlainFormatter(), JsonLinesFormatter()], ids=["plain", "json"]
)
@pytest.mark.parametrize("log_record", [record(NASTY), failure(NASTY), record(x=NASTY)])
def test_record_cannot_imitate_another(
    formatter: logging.Formatter, log_record: logging.LogRecord
) -> None:
    first, *further = formatter.format(log_record).split("\n")
    assert "registry" in first
    assert all(line.startswith("    ") for line in further)
    assert "".join([first, *further]).isprintable()


def test_json_record_is_one_line() -> None:
    with request_ids.request_context("abcdefgh"):
        text = JsonLinesFormatter().format(record(NASTY, status=200, method="GET"))
    assert "\n" not in text
    assert text.isascii()
    line = json.loads(text)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "INFO",
        "logger": "registry",
        "message": NASTY,
        "request_id": "abcdefgh",
        "status": 200,
        "method": "GET",
    }


def test_json_contains_the_traceback() -> None:
    line = json.loads(JsonLinesFormatter().format(failure("inside")))
    assert line["traceback"].startswith("Traceback ")
    assert line["traceback"].endswith("ValueError: inside")


def test_request_object_is_not_logged() -> None:
    request = RequestFactory().get("/?token=secret")
    text = JsonLinesFormatter().format(record(request=request, status_code=500))
    assert "secret" not in text


def test_record_after_the_request_has_its_id() -> None:
    request = RequestFactory().get("/")
    request.META["REQUEST_ID"] = "abcdefgh"
    assert "[abcdefgh] hello" in PlainFormatter().format(record(request=request))
