"""GET namespaces, namespaces/<namespace>: who owns what."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api import cursors
from registry.api.base import Resource
from registry.api.schema import CURSOR, in_path, operation
from registry.api.serializers.namespaces import (
    NamespacePageSerializer,
    NamespaceWithMembersSerializer,
)
from registry.domain.errors import Code
from registry.services.reading import owning


class Namespaces(Resource):
    """All namespaces."""

    parameters = frozenset({cursors.PARAMETER})

    @operation(
        "namespaces",
        "All namespaces",
        NamespacePageSerializer,
        Code.FILTER_INVALID,
        parameters=[CURSOR],
    )
    def get(self, request: Request) -> HttpResponse:
        """A page of namespaces by name."""
        page = owning.namespaces(after=cursors.after(request._request))
        return self.answer(NamespacePageSerializer, page)


class Namespace(Resource):
    """One namespace with who is in it."""

    parameters = frozenset({cursors.PARAMETER})

    @operation(
        "namespace",
        "A namespace with its members",
        NamespaceWithMembersSerializer,
        Code.FILTER_INVALID,
        Code.NAMESPACE_UNKNOWN,
        parameters=[in_path("name", {"type": "string"}, "the first segment of tags"), CURSOR],
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """What it is, and a page of its members, owners first."""
        owned = owning.namespace(name)
        members = owning.members(owned.namespace, after=cursors.after(request._request))
        whole = {"namespace": owned.namespace, "tags": owned.tags, "members": members}
        return self.answer(NamespaceWithMembersSerializer, whole)
