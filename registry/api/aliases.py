"""PUT aliases/<alias>: what an alias stands for."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies
from registry.api.base import Resource
from registry.api.described import withdrawing as described
from registry.api.permissions import actor_of
from registry.api.tags import name_of
from registry.domain.errors import Code, Refused, at, echo
from registry.domain.reference import Reference
from registry.http.caching import Policy
from registry.services import aliases
from registry.services.permissions import Action

REFERENCE_TAG = re.compile(r'"([!#-~]+)"')  # an entity tag: what the alias stands for so far


class Alias(Resource):
    """Another spelling of a tag, or of a version of it."""

    write_action = Action.POINT_ALIAS

    def subjects(self, alias: Reference) -> tuple[Reference]:
        """Return the alias. Raises `Refused` (REFERENCE_INVALID) if the path names a version."""
        name_of(alias)
        return (alias,)

    @extend_schema(**described.ALIAS)
    def put(self, request: Request, alias: Reference) -> HttpResponse:
        """Make an alias, or point it elsewhere."""
        text = name_of(alias)
        expected = _expected(request)
        said = bodies.members(request._request, required=("reference",))
        made = aliases.point_alias(
            text, _reference(said), expected=expected, actor=actor_of(request)
        )
        shown = {"alias": text, "tag": made.name.tag.text, "reference": str(made.reference)}
        status = 201 if made.is_new else 200
        response = answers.of_json(request._request, shown, policy=Policy.NO_STORE, status=status)
        if made.is_new:
            response["Location"] = iri_to_uri(reverse("api:resolve", args=[text]))
        return response


def _reference(said: dict[str, str]) -> Reference:
    with at("/reference"):
        return Reference.parse(bodies.text_of(said, "reference"))


def _expected(request: Request) -> str | None:
    """What the alias must stand for so far: empty for nothing, None where the asker says nothing.

    Raises `Refused` (PRECONDITION_FAILED) for conditions that no alias can meet.
    """
    match, none_match = request.headers.get("If-Match"), request.headers.get("If-None-Match")
    if match is None and none_match is None:
        return None
    if match is None and none_match == "*":
        return ""
    quoted = REFERENCE_TAG.fullmatch((match or "").strip())
    if quoted is None or none_match is not None:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"{echo(match or none_match)} is no condition on an alias: If-Match takes the "
            'reference that it stands for, as in "acme/board@1"; If-None-Match takes *.',
        )
    return quoted[1]
