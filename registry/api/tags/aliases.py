"""PUT aliases/<alias>: create an alias or change its target."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from rest_framework.request import Request

from registry.api.core import patterns, request_bodies
from registry.api.core.openapi_schema import CHANGE_CODES, header, in_path, operation
from registry.api.core.permissions import actor_of
from registry.api.core.request_bodies import Members
from registry.api.core.request_serializers import AliasRequestSerializer
from registry.api.core.resource import Resource
from registry.api.tags.serializers import AliasSerializer
from registry.api.tags.tags import name_of
from registry.domain.errors import Code, Refused, echo, report_errors_at
from registry.domain.reference import MAX_TAG, Reference
from registry.http.caching import Policy
from registry.services.core.permissions import Action
from registry.services.tags import aliases

REFERENCE_ETAG = re.compile(r'"([!#-~]+)"')  # an entity tag: the current target of the alias


class Alias(Resource):
    """An alternative name for a tag or one of its versions."""

    write_action = Action.POINT_ALIAS

    def subjects(self, alias: Reference) -> tuple[Reference]:
        """Return the alias. Raises `Refused` (REFERENCE_INVALID) if the path names a version."""
        name_of(alias)
        return (alias,)

    @operation(
        "point_alias",
        "Create an alias or change its target",
        {200: AliasSerializer, 201: AliasSerializer, 202: AliasSerializer},
        *CHANGE_CODES,
        Code.NAMESPACE_UNKNOWN,
        Code.VERSION_UNKNOWN,
        Code.CYCLE,
        Code.PRECONDITION_FAILED,
        parameters=[
            in_path(
                "alias",
                {"type": "string", "maxLength": MAX_TAG, "pattern": patterns.ALIAS},
                "printable ASCII without @ ? # % \\, starting with a namespace",
                *("an alias", "acme/GPU,latest"),
            ),
            header("If-Match", '"<current target of the alias>"'),
            header("If-None-Match", "*, to only create an alias"),
            header("Location", "the path of the new alias", of=[201], always=True),
        ],
        request=AliasRequestSerializer,
        is_open=False,
    )
    def put(self, request: Request, alias: Reference) -> HttpResponse:
        """Create an alias or change its target."""
        text = name_of(alias)
        expected = _expected(request)
        members = request_bodies.read(request._request, AliasRequestSerializer)
        reference, actor = _reference(members), actor_of(request)
        result = aliases.point_alias(text, reference, expected=expected, actor=actor)
        status = 202 if result.is_pending else 201 if result.is_new else 200
        response = self.answer(AliasSerializer, result, policy=Policy.NO_STORE, status=status)
        if result.is_new:
            response["Location"] = iri_to_uri(reverse("api:resolve", args=[text]))
        return response


def _reference(members: Members) -> Reference:
    with report_errors_at("/reference"):
        return Reference.parse(members["reference"])


def _expected(request: Request) -> str | None:
    """Return the expected target: empty for a new alias, None without a precondition.

    Raises `Refused` (PRECONDITION_FAILED) for preconditions that no alias can meet.
    """
    match, none_match = request.headers.get("If-Match"), request.headers.get("If-None-Match")
    if match is None and none_match is None:
        return None
    if match is None and none_match == "*":
        return ""
    quoted = REFERENCE_ETAG.fullmatch((match or "").strip())
    if quoted is None or none_match is not None:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f"{echo(match or none_match)} is not a valid precondition: If-Match takes the alias's "
            'current target, such as "acme/board@1"; If-None-Match takes *.',
        )
    return quoted[1]
