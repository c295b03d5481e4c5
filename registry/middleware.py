"""Middleware: request ids, the access log, refusals of the server, sizes, outages, positions."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.contrib.sessions import middleware as sessions
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from registry.api.core import problems
from registry.domain.errors import TEMPORARY_CODES, Code, Refused
from registry.http import access_log
from registry.http.access_log import PROBES
from registry.http.names import API, POSITION, REFUSAL, REQUEST_ID, ROUTE, SAFE_METHODS
from registry.http.problems import RETRY_AFTER
from registry.services.core import database_errors, metrics, request_ids
from registry.services.operations import replication
from registry.web.core import error_pages

GetResponse = Callable[[HttpRequest], HttpResponse]

MAX_DIGITS = 18  # of a Content-Length; Python is slow to parse very long ones
NO_ROUTE = "none"  # for static files and unknown paths


def request_id_middleware(get_response: GetResponse) -> GetResponse:
    """Give each request an id, for logs, events and the response.

    An id in the request is trusted only behind a proxy: clients could otherwise reuse the id of
    another request.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        received = request.headers.get(REQUEST_ID, "") if settings.PROXIES else ""
        request_id = request_ids.accepted_id(received) or request_ids.new_id()
        request.META["REQUEST_ID"] = request_id
        with request_ids.request_context(request_id):
            response = get_response(request)
        response[REQUEST_ID] = request_id
        return response

    return middleware


def access_log_middleware(get_response: GetResponse) -> GetResponse:
    """Log each request, without its query string, and count it in the metrics."""

    def middleware(request: HttpRequest) -> HttpResponse:
        start, processor = time.perf_counter(), time.thread_time()
        response = get_response(request)
        seconds, processor = time.perf_counter() - start, time.thread_time() - processor
        route = request.resolver_match.route if request.resolver_match else NO_ROUTE
        request.META[ROUTE] = route
        metrics.count_response(request.method or "", route, response.status_code, seconds)
        metrics.count_processor_time(request.method or "", route, processor)
        access_log.log_response(request, response, seconds)
        return response

    return middleware


class DatabaseErrorMiddleware:
    """Answers requests that the database cannot serve now with 503, in place of Django's 500."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; a form that is shown again with 503 gets a `Retry-After`."""
        response = self.get_response(request)
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE and request.path not in PROBES:
            code = database_errors.last_failure() or Code.BUSY
            response.headers.setdefault("Retry-After", str(RETRY_AFTER[code]))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the response to an error of a view; None for errors that are defects."""
        return unavailable(request, error)


class SessionMiddleware(sessions.SessionMiddleware):
    """Django's sessions, which reads can do without while the database cannot write."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session. If that is impossible, reads stay as they are, and others get 503."""
        try:
            return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            failure = unavailable(request, _root_error(error))
            if failure is None:
                raise
            return response if request.method in SAFE_METHODS else failure


def _root_error(error: BaseException) -> BaseException:
    """Return the database's error that made Django raise another one, or the error itself."""
    cause: BaseException | None = error
    while cause and not isinstance(cause, DatabaseError):
        cause = cause.__context__
    return cause or error


def unavailable(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the response to a database that is busy, away or cannot write; None otherwise."""
    is_temporary = isinstance(error, Refused) and error.code in TEMPORARY_CODES
    refusal = error if is_temporary else error and database_errors.report(error)
    if not isinstance(refusal, Refused):
        return None
    if request.path.startswith(API):
        return problems.answer(refusal)
    return error_pages.unavailable(request, refusal)


def server_refusal_middleware(get_response: GetResponse) -> GetResponse:
    """Answer requests that the server has refused: no free thread, or a body that came too late."""

    def middleware(request: HttpRequest) -> HttpResponse:
        refusal = request.META.get(REFUSAL)
        if refusal is None:
            return get_response(request)
        return unavailable(request, refusal) or _refuse(request, refusal)

    return middleware


def request_size_middleware(get_response: GetResponse) -> GetResponse:
    """Reject requests whose Content-Length exceeds the limit (TOO_LARGE), before reading them.

    Django parses forms and their files before it authenticates the sender.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if not length.isdecimal() or int(length[:MAX_DIGITS]) <= limit:
            return get_response(request)
        message = f"The request has {length[:MAX_DIGITS]} bytes: at most {limit} are allowed."
        return _refuse(request, Refused(Code.TOO_LARGE, message))

    return middleware


def position_middleware(get_response: GetResponse) -> GetResponse:
    """Say in the response to a write where it is in the log, if nodes read from standbys.

    A `POST` may be a read, and then has the position too, except from a standby.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE_METHODS and response.status_code < HTTPStatus.BAD_REQUEST:
            # Decision 169: whoever has written reads it from every node.
            position = replication.written_position()
            if position:
                response[POSITION] = str(position)
        return response

    return middleware


def _refuse(request: HttpRequest, refusal: Refused) -> HttpResponse:
    if request.path.startswith(API):
        return problems.answer(refusal)
    return error_pages.refusal_page(request, refusal)
