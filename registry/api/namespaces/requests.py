"""GET namespace-requests and namespace-requests/<number>: requests for namespaces.

People make them on a page: a token is limited to namespaces that exist.
"""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import paging, parameters
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
)
from registry.domain.errors import Code, Refused, echo
from registry.services.namespaces import request_list

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
        filters = request_list.parse_filters(**parameters.single_values(request, FILTERS))
        page = request_list.list_requests(filters, **paging.requested_page(request))
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
        if not NUMBER.fullmatch(number):
            raise Refused(
                Code.NAMESPACE_REQUEST_UNKNOWN,
                f"There is no request for a namespace {echo(number) or '(empty)'}.",
            )
        return self.answer(NamespaceRequestSerializer, request_list.find_request(int(number)))
