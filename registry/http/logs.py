"""Logging: formats for people and for programs. Input cannot forge log lines."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

from registry.services.core import request_ids

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")  # except tab and newline
DJANGO_ATTRS = ("request", "server_time", "status_code")  # redundant with the access log


class RequestIdFilter(logging.Filter):
    """A filter that adds the id of the current request or command to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return true. Records that Django logs after the middleware carry the request."""
        request = getattr(record, "request", None)
        own_id = request.META.get("REQUEST_ID", "") if isinstance(request, HttpRequest) else ""
        record.request_id = request_ids.request_id() or own_id
        return True


class OutageFilter(logging.Filter):
    """A filter that drops Django's record of each 503, which has a traceback.

    The access log has a line for each one, and the module that finds the cause logs it.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return false for a 503."""
        return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


class PlainFormatter(logging.Formatter):
    """A formatter for people, which indents all lines of a record but the first."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as text that cannot imitate another record or control a terminal."""
        text = CONTROLS.sub(lambda match: repr(match[0])[1:-1], super().format(record))
        return text.replace("\n", "\n    ")


class JsonLinesFormatter(JsonFormatter):
    """A formatter for programs, which writes each record as one line of ASCII JSON."""

    def __init__(self) -> None:
        super().__init__(
            ["levelname", "name", "message", "request_id"],
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "traceback"},
            reserved_attrs=[*RESERVED_ATTRS, *DJANGO_ATTRS],
            timestamp="time",  # UTC
        )


def configuration(format_name: str) -> dict[str, Any]:
    """Return the settings for Python's logging to stderr, in the format `plain` or `json`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": RequestIdFilter}, "outages": {"()": OutageFilter}},
        "formatters": {"plain": {"()": PlainFormatter}, "json": {"()": JsonLinesFormatter}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": format_name,
                "filters": ["request_id"],
            }
        },
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            # Replaces Django's own handlers, which mail the administrators.
            "django": {"handlers": [], "level": "INFO"},
            # Client errors are not logged, and outages not once for every request.
            "django.request": {"level": "ERROR", "filters": ["outages"]},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }
