"""GET openapi.json: the OpenAPI description of the API."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api.core import responses
from registry.api.core.resource import Resource


class OpenApi(Resource):
    """The OpenAPI 3.1 document, generated from the views."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        media_type = "application/vnd.oai.openapi+json"
        return responses.of_json(request, document(), media_type=media_type)


def document() -> dict[str, Any]:
    """Return the OpenAPI document; it only changes with the code."""
    with _generation:
        return _generate_document()


_generation = Lock()  # drf-spectacular loads its extensions without one, and fails in two threads


@lru_cache(maxsize=1)
def _generate_document() -> dict[str, Any]:
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document
