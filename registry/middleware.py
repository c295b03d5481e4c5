"""Middleware: request ids, the access log, and the limit on the size of requests."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.encoding import escape_uri_path

from registry.api.core import problems
from registry.domain.errors import Code, Refused
from registry.services.core import metrics, request_ids
from registry.services.core.permissions import Actor
from registry.web.core import error_pages

View = Callable[[HttpRequest], HttpResponse]

API = "/api/"
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
MAX_PATH = 300  # characters of a path in the log; a reference has at most 255
MAX_DIGITS = 18  # of a Content-Length; Python is slow to parse very long ones
NO_ROUTE = "none"  # static files and unknown paths

access = logging.getLogger("registry.access")


def identified(answer: View) -> View:
    """Give each request an id, for the log, its events and the response.

    An id in the request is trusted only behind a proxy: clients could otherwise reuse the id of
    another request.
    """

    def traced(request: HttpRequest) -> HttpResponse:
        received = request.headers.get(problems.REQUEST_ID, "") if settings.PROXIES else ""
        request_id = request_ids.new_request_id(received)
        request.META["REQUEST_ID"] = request_id
        with request_ids.request_context(request_id):
            response = answer(request)
        response[problems.REQUEST_ID] = request_id
        return response

    return traced


def observed(answer: View) -> View:
    """Log each request, without its query, and count it in the metrics."""

    def timed(request: HttpRequest) -> HttpResponse:
        begin = time.perf_counter()
        response = answer(request)
        seconds = time.perf_counter() - begin
        route = request.resolver_match.route if request.resolver_match else NO_ROUTE
        metrics.count_response(request.method or "", route, response.status_code, seconds)
        level = _level(request, response)
        if access.isEnabledFor(level):
            _write(level, request, response, seconds)
        return response

    return timed


def _level(request: HttpRequest, response: HttpResponse) -> int:
    """Return the log level; probes come every few seconds, and only their failures matter."""
    if response.status_code >= 500:
        return logging.WARNING
    return logging.DEBUG if request.path in PROBES else logging.INFO


def _write(level: int, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    fields = {
        "method": request.method,
        "path": escape_uri_path(request.path[:MAX_PATH]),
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "bytes": _length(request, response),
        "address": request.META.get("REMOTE_ADDR", ""),
        "user": _user(request) or None,
    }
    line = "%(method)s %(path)s %(status)s %(ms)s ms %(bytes)s bytes %(address)s %(user)s"
    access.log(level, line, {**fields, "user": fields["user"] or "-"}, extra=fields)


def _length(request: HttpRequest, response: HttpResponse) -> int:
    if request.method == "HEAD":
        return 0
    if response.streaming:  # a static file; its length is known beforehand
        return int(response.headers.get("Content-Length", 0))
    return len(response.content)


def _user(request: HttpRequest) -> str:
    """Return the public part of the token, or else the account, if already looked up."""
    actor = getattr(request, "auth", None)
    if isinstance(actor, Actor) and actor.token:
        return f"ttr_{actor.token.prefix}"
    user = getattr(request, "_cached_user", None)  # `request.user` itself would ask the database
    return user.get_username() if user else ""


def bounded(answer: View) -> View:
    """Answer TOO_LARGE, before reading, to a request whose Content-Length exceeds the limit.

    Forms and their files are parsed before the sender is authenticated.
    """

    def checked(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if not length.isdecimal() or int(length[:MAX_DIGITS]) <= limit:
            return answer(request)
        message = f"{length[:MAX_DIGITS]} bytes are too many: a request has at most {limit}."
        refusal = Refused(Code.TOO_LARGE, message)
        if request.path.startswith(API):
            return problems.answer(refusal)
        return error_pages.refusal_page(request, refusal)

    return checked
