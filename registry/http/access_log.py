"""The lines of the access log: one for each response, without the query string.

Answers from memory make their own text: Python's logging would take longer than the answer itself.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils.encoding import escape_uri_path

from registry.services.core.permissions import Actor

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
MAX_PATH = 300  # characters of a path in the log; a reference has at most 255

log = logging.getLogger("registry.access")


@dataclass(frozen=True, eq=False, slots=True)
class Answer:
    """The parts of an answer from memory that are logged and counted.

    Two answers are never equal: to compare their parts would take as long as to log them.
    """

    method: str
    path: str  # quoted, as in a URL
    route: str
    tag: str  # empty if the answer does not count as usage
    status: int
    size: int  # bytes sent as the body


# An answer with the client's address, the request's id, the Unix time and the duration, both
# in seconds. Making a named tuple would take half as long as making the line of the log.
Record = tuple[Answer, str, str, float, float]


def log_response(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    level = _level(request, response)
    if not log.isEnabledFor(level):
        return
    fields = {
        "method": request.method,
        "path": logged_path(request.path),
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "bytes": _length(request, response),
        "address": request.META.get("REMOTE_ADDR", ""),
        "user": _user(request) or None,
    }
    log.log(level, message(*fields.values()), extra=fields)


def message(  # noqa: PLR0917 - by keyword, calls would take longer
    method: object,
    path: object,
    status: object,
    ms: object,
    size: object,
    address: object,
    user: object = None,
) -> str:
    """Return what a line says."""
    return f"{method} {path} {status} {ms} ms {size} bytes {address} {user or '-'}"


def plain_text(record: Record) -> str:
    """Return the line of an answer from memory as `PlainFormatter` writes it."""
    answer, address, request_id, now, seconds = record
    text = message(answer.method, answer.path, answer.status, _ms(seconds), answer.size, address)
    return f"{_plain_time(int(now * 1000))} INFO registry.access [{request_id}] {text}\n"


def json_text(record: Record) -> str:
    """Return the line of an answer from memory as `JsonLinesFormatter` writes it.

    No value needs an escape.
    """
    answer, address, request_id, now, seconds = record
    method, path, status, size = answer.method, answer.path, answer.status, answer.size
    ms = _ms(seconds)
    return (
        '{"level": "INFO", "logger": "registry.access", "message": '
        f'"{message(method, path, status, ms, size, address)}", '
        f'"request_id": "{request_id}", "method": "{method}", "path": "{path}", '
        f'"status": {status}, "ms": {ms}, "bytes": {size}, "address": "{address}", "user": null, '
        f'"time": "{_json_time(int(now))}.{int(now % 1 * 1_000_000):06d}+00:00"}}\n'
    )


def logged_path(path: str) -> str:
    return escape_uri_path(path[:MAX_PATH])


def _level(request: HttpRequest, response: HttpResponse) -> int:
    """Return the log level; probes are frequent, and only their failures matter."""
    if response.status_code >= 500:
        return logging.WARNING
    return logging.DEBUG if request.path in PROBES else logging.INFO


def _length(request: HttpRequest, response: HttpResponse) -> int:
    if request.method == "HEAD":
        return 0
    if response.streaming:  # a static file, which has the header
        return int(response.headers.get("Content-Length", 0))
    return len(response.content)


def _user(request: HttpRequest) -> str:
    """Return the token's prefix or the username, if authentication has run."""
    actor = getattr(request, "auth", None)
    if isinstance(actor, Actor) and actor.token:
        return f"ttr_{actor.token.prefix}"
    user = getattr(request, "_cached_user", None)  # `request.user` would query
    return user.get_username() if user else ""


@lru_cache(maxsize=2)
def _plain_time(milliseconds: int) -> str:
    """Return a Unix time as local time. Many answers share a millisecond."""
    second, millisecond = divmod(milliseconds, 1000)
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(second))},{millisecond:03d}"


@lru_cache(maxsize=2)
def _json_time(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


def _ms(seconds: float) -> str:
    """Return a duration in milliseconds, with one decimal."""
    ms = seconds * 1000
    return f"{ms:.1f}" if ms >= 0.05 else "0.0"  # formatting takes five times as long
