"""Around every request: its id, its line in the log, and a limit to what is read of it."""

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
MAX_DIGITS = 18  # of a length that is read as a number; Python is slow with very long ones
NO_ROUTE = "none"  # static files, and paths that are nobody's

access = logging.getLogger("registry.access")


def identified(answer: View) -> View:
    """Give each request an id, for its lines in the log, its events, and whoever asks about it.

    One that comes along is taken over only from a proxy. If any stranger's were, two requests could
    have one id, and one could pass for another in the log.
    """

    def traced(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(problems.REQUEST_ID, "") if settings.PROXIES else ""
        request_id = request_ids.new_request_id(given)
        request.META["REQUEST_ID"] = request_id
        with request_ids.request_context(request_id):
            response = answer(request)
        response[problems.REQUEST_ID] = request_id
        return response

    return traced


def observed(answer: View) -> View:
    """Write one line about each request, and count it. Of the query nothing is written."""

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
    """Probes come every few seconds; only their failures are news."""
    if response.status_code >= 500:
        return logging.WARNING
    return logging.DEBUG if request.path in PROBES else logging.INFO


def _write(level: int, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    said = {
        "method": request.method,
        "path": escape_uri_path(request.path[:MAX_PATH]),
        "status": response.status_code,
        "ms": round(seconds * 1000, 1),
        "bytes": _length(request, response),
        "address": request.META.get("REMOTE_ADDR", ""),
        "user": _who(request) or None,
    }
    line = "%(method)s %(path)s %(status)s %(ms)s ms %(bytes)s bytes %(address)s %(user)s"
    access.log(level, line, {**said, "user": said["user"] or "-"}, extra=said)


def _length(request: HttpRequest, response: HttpResponse) -> int:
    if request.method == "HEAD":
        return 0
    if response.streaming:  # a static file; its length is known beforehand
        return int(response.headers.get("Content-Length", 0))
    return len(response.content)


def _who(request: HttpRequest) -> str:
    """The public part of the token, or else the account, where one of them has been looked up."""
    actor = getattr(request, "auth", None)
    if isinstance(actor, Actor) and actor.token:
        return f"ttr_{actor.token.prefix}"
    user = getattr(request, "_cached_user", None)  # `request.user` itself would ask the database
    return user.get_username() if user else ""


def bounded(answer: View) -> View:
    """Refuse a request that says itself too large before anybody reads it.

    Pages read forms, and files of forms to a folder, before they know who sends them.
    """

    def weighed(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if not length.isdecimal() or int(length[:MAX_DIGITS]) <= most:
            return answer(request)
        sentence = f"{length[:MAX_DIGITS]} bytes are too many: a request has at most {most}."
        refusal = Refused(Code.TOO_LARGE, sentence)
        if request.path.startswith(API):
            return problems.answer(refusal)
        return error_pages.refusal_page(request, refusal)

    return weighed
