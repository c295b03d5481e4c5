"""Turn errors into responses: problem+json as in RFC 9457."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from registry.api.core.problem_serializers import ProblemSerializer
from registry.domain.errors import Code, Refused, echo
from registry.http.caching import CachePolicy, set_policy
from registry.http.names import REQUEST_ID
from registry.http.near_paths import near_paths
from registry.http.problems import PROBLEMS, Problem, retry_after
from registry.services.core import database_errors, metrics, request_ids

MEDIA_TYPE = "application/problem+json"
EXPOSED = f"{REQUEST_ID}, Retry-After"

# Errors of the framework itself, before a service is called.
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


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Return the response for an exception of a view; None for unexpected ones, which give 500."""
    if isinstance(error, Refused):
        return answer(error)
    if refusal := database_errors.report(error):
        return answer(refusal)
    for error_type, code in FRAMEWORK.items():
        if isinstance(error, error_type):
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
    """Return an error as problem+json. Caches never store it: the request may succeed later."""
    metrics.count_refusal(refusal.code)
    response = HttpResponse(
        json.dumps(body(refusal), ensure_ascii=False).encode("utf-8", "backslashreplace"),
        status=PROBLEMS[refusal.code].status,
        content_type=MEDIA_TYPE,
    )
    set_policy(response, CachePolicy.NO_STORE)
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Expose-Headers"] = EXPOSED
    if seconds := retry_after(refusal):
        response["Retry-After"] = str(seconds)
    if refusal.code is Code.UNAUTHENTICATED:
        response["WWW-Authenticate"] = 'Bearer realm="registry"'
    return response


@dataclass(frozen=True, slots=True)
class Details:
    """An error with the members that RFC 9457 adds."""

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
        """The request id, only for errors of the registry itself.

        Other errors are identical for identical requests.
        """
        is_own_error = self.problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        request_id = request_ids.request_id() if is_own_error else ""
        return f"urn:request:{request_id}" if request_id else None


def body(refusal: Refused) -> dict[str, Any]:
    """Return an error as a value for JSON."""
    return SERIALIZER.to_representation(Details(refusal))


@csrf_exempt
def route_unknown(request: HttpRequest, path: str = "") -> HttpResponse:
    """Return the response for an unknown path."""
    sentence = f"The API has no route {echo(request.path)}."
    return answer(Refused(Code.ROUTE_UNKNOWN, sentence, suggestions=near_paths(request.path)))


def internal() -> HttpResponse:
    """Return the response for an internal error, without details."""
    return answer(Refused(Code.INTERNAL, PROBLEMS[Code.INTERNAL].meaning))
