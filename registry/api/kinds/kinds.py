"""GET kinds, kinds/<kind>: schemas with consumers and tuning annotations."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import parameters, responses
from registry.api.core.openapi_schema import PAGED, in_path, operation
from registry.api.core.resource import Resource
from registry.api.kinds.serializers import KindPageSerializer
from registry.domain.errors import Code
from registry.domain.kinds import body_schema
from registry.services.kinds import kinds

SCHEMA_TYPE = "application/schema+json"


class KindsView(Resource):
    """All kinds in force."""

    @operation(
        "kinds",
        "All kinds in force",
        KindPageSerializer,
        parameters=PAGED,
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of kinds by name, each with its role, revision and schema URL."""
        page = kinds.list_kinds(**parameters.requested_page(request))
        named = {"rows": page.rows, "next_key": page.next_key, "body": body_schema.NAME}
        return self.answer(KindPageSerializer, named)


class KindSchema(Resource):
    """One kind as JSON Schema."""

    @operation(
        "kind",
        "The JSON Schema of a kind, or of whole bodies",
        {(200, SCHEMA_TYPE): {"type": "object"}},
        Code.KIND_UNKNOWN,
        parameters=[in_path("name", {"type": "string"}, "llvm, executor/aot, body")],
    )
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the schema of a kind; for `body`, the schema of whole bodies, for editors."""
        if name == body_schema.NAME:
            schema = body_schema.build_body_schema(kinds.current_kinds().kinds)
        else:
            kind = kinds.find_kind(name)
            schema = {**kind.schema, "x-role": kind.role, "x-revision": kind.revision}
        return responses.of_json(request, schema, media_type=SCHEMA_TYPE)
