"""GET namespaces and namespaces/<namespace>: namespaces and their members."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.openapi_schema import PAGED, in_path, operation, query
from registry.api.core.resource import Resource
from registry.api.namespaces.serializers import (
    NamespacePageSerializer,
    NamespaceWithMembersSerializer,
)
from registry.domain.errors import Code
from registry.services.namespaces import directory

TEXT, SORT = "q", "sort"


class Namespaces(Resource):
    """The list of namespaces."""

    @operation(
        "namespaces",
        "All namespaces",
        NamespacePageSerializer,
        parameters=[
            query(
                TEXT,
                "only namespaces with these words in name, title or description",
                type={"type": "string", "maxLength": directory.MAX_TEXT},
            ),
            query(
                SORT,
                "`name`, the default, or `tags`: those with most tags first",
                enum=["", *directory.NamespaceOrder],
            ),
            *PAGED,
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of namespaces by name, or those with most tags first."""
        page = directory.list_namespaces(
            text=request.GET.get(TEXT, ""),
            order=directory.parse_order(request.GET.get(SORT, "")),
            **parameters.requested_page(request),
        )
        return self.answer(NamespacePageSerializer, page)


class NamespaceView(Resource):
    """A namespace with its members."""

    @operation(
        "namespace",
        "A namespace with its members",
        NamespaceWithMembersSerializer,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            in_path("name", {"type": "string"}, "the first segment of tags"),
            *PAGED,
        ],
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return a namespace with a page of its members, owners first."""
        summary = directory.namespace_summary(name)
        page = parameters.requested_page(request)
        namespace = {
            "namespace": summary.namespace,
            "kept_by": summary.kept_by,
            "tags": summary.tags,
            "members": directory.list_members(summary.namespace, **page),
        }
        return self.answer(NamespaceWithMembersSerializer, namespace)
