"""POST identify: what a pasted text describes, and its tags."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import operation
from registry.api.core.request_bodies import RequestBody
from registry.api.core.resource import Resource
from registry.api.identify.serializers import IdentificationSerializer
from registry.domain.identify.input_limits import MAX_TEXT
from registry.http import request_members
from registry.http.caching import CachePolicy
from registry.services.identify.identifying import identify_text

MAX_REQUEST = 2 * MAX_TEXT - 1  # bytes; JSON escapes quotes and line ends

IDENTIFY = RequestBody(
    "IdentifyRequest",
    "A text that describes machines: what a tool prints, flags, a target, the name of a product.",
    {
        "text": request_members.text(
            {"minLength": 1, "maxLength": MAX_TEXT},
            help_text=f"at most {MAX_TEXT} bytes; it is not stored",
        )
    },
    max_bytes=MAX_REQUEST,
)


class Identify(Resource):
    """Readings of a pasted text. They need no token, and nothing is stored."""

    reads_by_post = True

    @operation(
        "identify",
        "Find out what a pasted text describes",
        IdentificationSerializer,
        request=IDENTIFY,
    )
    def post(self, request: Request) -> HttpResponse:
        """Return the machines that a text describes, with the places of every fact, and tags."""
        values = IDENTIFY.read(request)
        identification = identify_text(values["text"])
        return self.answer(IdentificationSerializer, identification, policy=CachePolicy.NO_STORE)
