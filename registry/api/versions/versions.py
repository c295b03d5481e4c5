"""GET and POST versions/<tag>: the versions of a tag, and publishing."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api.core import paging, request_bodies
from registry.api.core.openapi_schema import (
    CURSOR,
    OF_BODY,
    READING,
    TAG,
    TARGET_HEADERS,
    header,
    operation,
)
from registry.api.core.permissions import actor_of
from registry.api.core.request_serializers import PublishRequestSerializer
from registry.api.core.resource import Resource
from registry.api.tags.tags import name_of
from registry.api.versions.resolution_serializers import ResolutionSerializer
from registry.api.versions.resolve import rendered
from registry.api.versions.version_serializers import VersionPageSerializer
from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Reference, Tag as TagName
from registry.domain.version_number import VersionNumber
from registry.http.caching import Policy, set_policy
from registry.services.core.permissions import Action
from registry.services.tags import detail
from registry.services.versions import publishing, resolving
from registry.services.versions.exporting import EXPORT_FORMATS, ExportOptions

NUMBER_TAG = re.compile(r'"([0-9.]+)"')  # an entity tag: the number most recently published


class Versions(Resource):
    """The versions of a tag."""

    write_action = Action.PUBLISH
    parameters = frozenset({paging.PARAMETER})

    def subjects(self, reference: Reference) -> tuple[TagName]:
        """Return the tag that is published."""
        return (TagName.parse(name_of(reference)),)

    @operation(
        "versions",
        "All versions of a tag",
        VersionPageSerializer,
        *READING,
        Code.FILTER_INVALID,
        parameters=[TAG, CURSOR],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """A page of a tag's versions, the highest number first."""
        after = paging.requested_cursor(request._request)
        return self.answer(
            VersionPageSerializer, detail.version_history(name_of(reference), after=after)
        )

    @operation(
        "publish",
        "Publish the next version of a tag",
        ResolutionSerializer,
        Code.NAMESPACE_UNKNOWN,
        Code.TAG_UNKNOWN,
        *OF_BODY,
        Code.PRECONDITION_REQUIRED,
        parameters=[
            TAG,
            header("If-Match", '"<number of the most recently published version>"'),
            header("If-None-Match", "*, for a tag's first version"),
            header("Location", "where the new version resolves", of=[201], always=True),
            *TARGET_HEADERS,
        ],
        request=PublishRequestSerializer,
        status=201,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Publish the next version of a tag, or the first."""
        tag = TagName.parse(name_of(reference))
        expected = _expected(request)
        members = request_bodies.read(request._request, PublishRequestSerializer)
        version = publishing.publish(
            tag,
            members["target"],
            message=members["message"],
            sources=members["sources"],
            actor=actor_of(request),
            expected=expected,
        )
        answer = resolving.resolve(Reference.parse(version.exact))
        response = rendered(request, answer, ExportOptions(EXPORT_FORMATS["json"]), status=201)
        response["Location"] = reverse("api:resolve", args=[version.exact])
        return set_policy(response, Policy.NO_STORE)


def _expected(request: Request) -> VersionNumber | None:
    """Return the version number the publisher expects; None for the first version.

    Raises `Refused`: PRECONDITION_REQUIRED without one, PRECONDITION_FAILED for nonsense.
    """
    match, none_match = request.headers.get("If-Match"), request.headers.get("If-None-Match")
    if match is None and none_match == "*":
        return None
    if match is None or none_match is not None:
        raise Refused(
            Code.PRECONDITION_REQUIRED,
            'Say what you have seen: If-Match: "<number most recently published>", or '
            "If-None-Match: * for a tag's first version.",
        )
    quoted = NUMBER_TAG.fullmatch(match.strip())
    try:
        return VersionNumber.parse(quoted[1] if quoted else match)
    except ValueError as error:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f'If-Match: {echo(match)} is no version number in quotes, such as "1.0.0".',
        ) from error
