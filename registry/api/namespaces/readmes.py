"""GET and PUT namespaces/<namespace>/readme, and GET namespaces/<namespace>/readme/<revision>."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from registry.actions.readmes import README
from registry.api.core.action_resource import ActionResource
from registry.api.core.openapi_schema import NUMBER, in_path, number_in_path, operation
from registry.api.core.permissions import actor_of
from registry.api.core.resource import Resource
from registry.domain.errors import Code, Refused, echo
from registry.models import Namespace
from registry.services.core import permissions
from registry.services.namespaces import readmes
from registry.services.namespaces.lookup import require_namespace

NAME_IN_PATH = in_path("name", {"type": "string"}, "the first segment of tags")


class ReadmeSerializer(serializers.Serializer):
    """A revision of a namespace's README."""

    revision = serializers.IntegerField(source="number")
    text = serializers.CharField(help_text="Markdown; empty: the namespace has none")
    author = serializers.CharField(source="author.username")
    created = serializers.DateTimeField()


class ReadmeActions(ActionResource):
    """The README of a namespace: read, and written by owners."""

    subject_type = README
    path = "namespaces/<rest:name>/{slug}"
    method = "put"
    serializer = ReadmeSerializer
    codes = (Code.NAMESPACE_UNKNOWN,)
    described = (NAME_IN_PATH,)

    def subjects(self, name: str) -> tuple[Namespace]:
        """Return the namespace. Raises `Refused` (UNAUTHENTICATED, NAMESPACE_UNKNOWN)."""
        permissions.authenticated(actor_of(self.request))
        return (require_namespace(name),)

    @operation(
        "readme",
        "The README of a namespace",
        ReadmeSerializer,
        Code.NAMESPACE_UNKNOWN,
        Code.README_UNKNOWN,
        parameters=[NAME_IN_PATH],
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the newest revision of a README."""
        return self.answer(ReadmeSerializer, readmes.require_newest(require_namespace(name)))


class ReadmeRevisionView(Resource):
    """A revision of a README."""

    @operation(
        "readme_revision",
        "A revision of the README of a namespace",
        ReadmeSerializer,
        Code.NAMESPACE_UNKNOWN,
        Code.README_UNKNOWN,
        parameters=[NAME_IN_PATH, number_in_path("revision")],
    )
    def get(self, request: Request, name: str, number: str) -> HttpResponse:
        """Return a revision of a README."""
        namespace = require_namespace(name)
        if not NUMBER.fullmatch(number):
            raise Refused(
                Code.README_UNKNOWN,
                f"The README of {namespace} has no revision {echo(number) or '(empty)'}.",
            )
        return self.answer(ReadmeSerializer, readmes.find_revision(namespace, int(number)))
