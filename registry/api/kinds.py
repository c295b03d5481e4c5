"""GET kinds, kinds/<kind>: schemas with consumers and tuning annotations."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, cursors
from registry.api.base import Resource
from registry.api.described import reading as described
from registry.domain import body_schema
from registry.domain.kinds import Kind
from registry.services import kinds

SCHEMA_TYPE = "application/schema+json"


class Kinds(Resource):
    """All kinds in force."""

    parameters = frozenset({cursors.PARAMETER})

    @extend_schema(**described.KINDS)
    def get(self, request: Request) -> HttpResponse:
        """A page of kinds by name, each with its role, its revision and where its schema is."""
        asked = request._request
        found = kinds.listed(after=cursors.after(asked))
        shown = {
            "results": [_shown(kind) for kind in found.rows],
            "next": cursors.next_url(asked, found.following),
            "body": reverse("api:kind", args=[body_schema.NAME]),
        }
        return answers.of_json(asked, shown)


class KindSchema(Resource):
    """One kind as JSON Schema."""

    @extend_schema(**described.KIND)
    def get(self, request: Request, name: str) -> HttpResponse:
        """The schema of a kind; of `body`, that of whole bodies, for editors."""
        if name == body_schema.NAME:
            schema = body_schema.of(kinds.current().kinds)
        else:
            kind = kinds.describe(name)
            schema = {**kind.schema, "x-role": kind.role, "x-revision": kind.revision}
        return answers.of_json(request._request, schema, media_type=SCHEMA_TYPE)


def _shown(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "role": kind.role,
        "revision": kind.revision,
        "description": kind.source.get("description", ""),
        "options": sorted(kind.options),
        "schema": reverse("api:kind", args=[kind.name]),
    }
