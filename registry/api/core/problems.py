"""Errors as RFC 9457 problem+json: the one place where a refusal becomes an answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from registry.api.core.problem_serializers import ProblemSerializer
from registry.domain.errors import Code, Refused, echo
from registry.http.caching import Policy, set_policy
from registry.http.problems import PROBLEMS, Problem, retry_after
from registry.services.core import metrics, request_ids
from registry.services.core.transactions import is_transient_error

MEDIA_TYPE = "application/problem+json"
REQUEST_ID = "X-Request-ID"
EXPOSED = f"{REQUEST_ID}, Retry-After"

# Refusals of the framework itself, before a service is asked.
FRAMEWORK: Mapping[type[Exception], Code] = {
    exceptions.NotFound: Code.ROUTE_UNKNOWN,
    exceptions.MethodNotAllowed: Code.METHOD_NOT_ALLOWED,
    exceptions.NotAuthenticated: Code.UNAUTHENTICATED,
    exceptions.AuthenticationFailed: Code.UNAUTHENTICATED,
    exceptions.PermissionDenied: Code.FORBIDDEN,
    exceptions.NotAcceptable: Code.FORMAT_UNKNOWN,
    exceptions.UnsupportedMediaType: Code.MEDIA_TYPE_UNSUPPORTED,
    exceptions.ParseError: Code.REQUEST_INVALID,
    RequestDataTooBig: Code.TOO_LARGE,
}

SERIALIZER = ProblemSerializer()

log = logging.getLogger(__name__)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Answer what a view raised; None for what is no refusal, which is then a 500."""
    if isinstance(error, Refused):
        return answer(error)
    if isinstance(error, OperationalError) and is_transient_error(error):
        log.warning("The database did not answer in time: %s", error)
        return answer(Refused(Code.BUSY, PROBLEMS[Code.BUSY].meaning))
    for kind, code in FRAMEWORK.items():
        if isinstance(error, kind):
            response = answer(Refused(code, _sentence(error, code)))
            if isinstance(error, exceptions.MethodNotAllowed):
                response["Allow"] = ", ".join(context["view"].allowed_methods)
            return response
    return None


def _sentence(error: Exception, code: Code) -> str:
    if isinstance(error, exceptions.MethodNotAllowed):
        return str(error.detail)
    return PROBLEMS[code].meaning


def answer(refusal: Refused) -> HttpResponse:
    """One refusal as problem+json. Never stored by caches: what is refused now may pass later."""
    metrics.count_refusal(refusal.code)
    response = HttpResponse(
        json.dumps(body(refusal), ensure_ascii=False).encode("utf-8", "backslashreplace"),
        status=PROBLEMS[refusal.code].status,
        content_type=MEDIA_TYPE,
    )
    set_policy(response, Policy.NO_STORE)
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = EXPOSED
    if seconds := retry_after(refusal):
        response["Retry-After"] = str(seconds)
    if refusal.code is Code.UNAUTHENTICATED:
        response["WWW-Authenticate"] = 'Bearer realm="registry"'
    return response


@dataclass(frozen=True, slots=True)
class Details:
    """A refusal with what RFC 9457 adds to it."""

    refusal: Refused

    @property
    def type(self) -> str:
        """The path of the page that explains the code."""
        return f"/problems#{self.refusal.code}"

    @property
    def problem(self) -> Problem:
        """The status and the title of the code."""
        return PROBLEMS[self.refusal.code]

    @property
    def instance(self) -> str | None:
        """The request to ask about; only where the registry failed.

        Refusals of one mistake are otherwise the same.
        """
        ours = self.problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR and request_ids.request_id()
        return f"urn:request:{ours}" if ours else None


def body(refusal: Refused) -> dict[str, Any]:
    """One refusal as a value for JSON."""
    return SERIALIZER.to_representation(Details(refusal))


@csrf_exempt
def route_unknown(request: HttpRequest, path: str = "") -> HttpResponse:
    """What the API says to a path that it does not have."""
    return answer(Refused(Code.ROUTE_UNKNOWN, f"The API has nothing at {echo(request.path)}."))


def internal() -> HttpResponse:
    """What the API says when it fails: nothing of the inside."""
    return answer(Refused(Code.INTERNAL, PROBLEMS[Code.INTERNAL].meaning))
