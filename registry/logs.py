"""The form of the log: what is one line stays one line, whatever strangers write into it."""

from __future__ import annotations

import logging
import re

from django.http import HttpRequest
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

from registry.services.core import request_ids

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")  # but tab and newline
OF_DJANGO = ("request", "server_time", "status_code")  # objects, and what the access line says


class RequestId(logging.Filter):
    """Gives each record the id of the request or command that it is part of."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass all. Django logs some answers after the request has left the middleware."""
        request = getattr(record, "request", None)
        known = request.META.get("REQUEST_ID", "") if isinstance(request, HttpRequest) else ""
        record.request_id = request_ids.request_id() or known
        return True


class Plain(logging.Formatter):
    """For people: a record begins at the margin, all further lines of it are indented."""

    def format(self, record: logging.LogRecord) -> str:
        """One record. Nothing in it can look like another, or steer a terminal."""
        text = CONTROLS.sub(lambda found: repr(found[0])[1:-1], super().format(record))
        return text.replace("\n", "\n    ")


class Json(JsonFormatter):
    """For programs: one object in ASCII on one line, a traceback inside of it."""

    def __init__(self) -> None:
        super().__init__(
            ["levelname", "name", "message", "request_id"],
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "traceback"},
            reserved_attrs=[*RESERVED_ATTRS, *OF_DJANGO],
            timestamp="time",  # UTC
        )
