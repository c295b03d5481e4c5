"""GET namespace-requests and namespace-requests/<number>, and the comments on one.

People make them on a page: a token is limited to namespaces that exist.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from registry.actions.namespace_requests import NAMESPACE_REQUEST
from registry.api.core import parameters
from registry.api.core.action_resource import ActionResource
from registry.api.core.idempotency import KEY_HEADER, idempotency_key
from registry.api.core.openapi_schema import (
    NUMBER,
    PAGED,
    number_in_path,
    operation,
    query,
)
from registry.api.core.resource import Resource
from registry.api.namespaces.serializers import (
    NamespaceRequestPageSerializer,
    NamespaceRequestSerializer,
    RequestCommentPageSerializer,
    RequestCommentSerializer,
)
from registry.domain.errors import Code, Refused, echo
from registry.models import NamespaceRequest
from registry.services.namespaces import discussion, request_list

FILTERS = ("state", "name", "requester")


class NamespaceRequests(Resource):
    """The requests for namespaces."""

    @operation(
        "namespace_requests",
        "Requests for namespaces, oldest first",
        NamespaceRequestPageSerializer,
        parameters=[
            query("state", "by default open", enum=["", *request_list.STATES]),
            query("name", "only requests for this namespace"),
            query("requester", "only requests by this user"),
            *PAGED,
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of requests, oldest first; by default the open ones."""
        filters = request_list.parse_filters(**parameters.texts(request, FILTERS))
        page = request_list.list_requests(filters, **parameters.requested_page(request))
        return self.answer(NamespaceRequestPageSerializer, page)


class NamespaceRequestView(Resource):
    """One request for a namespace."""

    @operation(
        "namespace_request",
        "A request for a namespace, with its decision",
        NamespaceRequestSerializer,
        Code.NAMESPACE_REQUEST_UNKNOWN,
        parameters=[number_in_path("request")],
    )
    def get(self, request: Request, number: str) -> HttpResponse:
        """Return a request with its evidence and its decision."""
        return self.answer(NamespaceRequestSerializer, _request_of(number))


class RequestCommentsView(Resource):
    """The comments on a request for a namespace."""

    @operation(
        "request_comments",
        "The comments on a request for a namespace, oldest first",
        RequestCommentPageSerializer,
        Code.NAMESPACE_REQUEST_UNKNOWN,
        parameters=[number_in_path("request"), *PAGED],
    )
    def get(self, request: Request, number: str) -> HttpResponse:
        """Return a page of the comments on a request, oldest first."""
        page = discussion.list_comments(_request_of(number), **parameters.requested_page(request))
        return self.answer(RequestCommentPageSerializer, page)


class NamespaceRequestActions(ActionResource):
    """The actions on a request. A token that is limited to a namespace may take none."""

    subject_type = NAMESPACE_REQUEST
    path = "namespace-requests/<rest:number>/{slug}"
    url_name = "namespace-request-{slug}"
    serializer = RequestCommentSerializer
    codes = (Code.NAMESPACE_REQUEST_UNKNOWN, Code.CONFLICT)
    described = (number_in_path("request"), KEY_HEADER)

    def subjects(self, number: str) -> tuple[None]:
        """Return the registry as a whole: the namespace need not exist."""
        return (None,)

    def name_of(self, number: str) -> int:
        """Return the number of the request."""
        return _request_number(number)

    def conditions(self, request: Request) -> dict[str, Any]:
        """Return the idempotency key."""
        return {"key": idempotency_key(request)}


def _request_number(text: str) -> int:
    """Return the number of the request in a path. Raises `Refused` (NAMESPACE_REQUEST_UNKNOWN)."""
    if not NUMBER.fullmatch(text):
        raise Refused(
            Code.NAMESPACE_REQUEST_UNKNOWN,
            f"There is no request for a namespace {echo(text) or '(empty)'}.",
        )
    return int(text)


def _request_of(number: str) -> NamespaceRequest:
    return request_list.find_request(_request_number(number))
