"""GET and POST versions/<tag>: the versions of a tag, and publishing."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.openapi_schema import (
    PAGED,
    REFERENCE_CODES,
    TAG,
    TARGET_HEADERS,
    header,
    operation,
)
from registry.api.core.permissions import actor_of
from registry.api.core.resource import Resource, name_of
from registry.api.versions.resolution_serializers import ResolutionSerializer
from registry.api.versions.resolve import export_response
from registry.api.versions.target_requests import PUBLISH
from registry.api.versions.version_serializers import VersionPageSerializer
from registry.domain.errors import Code, Refused, echo
from registry.domain.reference import Reference, Tag as TagName
from registry.http.caching import CachePolicy, set_policy
from registry.http.problems import BODY_CODES
from registry.services.core.permission_rules import Action
from registry.services.tags import detail
from registry.services.versions import publishing, resolving
from registry.services.versions.exporting import EXPORT_FORMATS, ExportOptions
from ttag_rules.version_number import VersionNumber

NUMBER_ETAG = re.compile(r'"([0-9.]+)"')  # an entity tag: the last published number


class Versions(Resource):
    """The versions of a tag."""

    write_action = Action.PUBLISH

    def subjects(self, reference: Reference) -> tuple[TagName]:
        """Return the tag to publish."""
        return (TagName.parse(name_of(reference)),)

    @operation(
        "versions",
        "All versions of a tag",
        VersionPageSerializer,
        *REFERENCE_CODES,
        parameters=[TAG, *PAGED],
    )
    def get(self, request: Request, reference: Reference) -> HttpResponse:
        """Return a page of a tag's versions, highest number first."""
        page = parameters.requested_page(request)
        history = detail.version_history(name_of(reference), **page)
        return self.answer(VersionPageSerializer, history)

    @operation(
        "publish",
        "Publish the next version of a tag",
        ResolutionSerializer,
        Code.NAMESPACE_UNKNOWN,
        Code.TAG_UNKNOWN,
        *BODY_CODES,
        Code.PRECONDITION_REQUIRED,
        parameters=[
            TAG,
            header("If-Match", '"<number of the last published version>"'),
            header("If-None-Match", "*, for the first version of a tag"),
            header("Location", "the path of the new version", of=[201], always=True),
            *TARGET_HEADERS,
        ],
        request=PUBLISH,
        status=201,
        needs_token=True,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Publish the first or next version of a tag."""
        tag = TagName.parse(name_of(reference))
        expected = _expected(request)
        values = PUBLISH.read(request)
        version = publishing.publish(
            tag,
            values["target"],
            message=values["message"],
            sources=values["sources"],
            actor=actor_of(request),
            expected=expected,
            is_family=values["family"],
        )
        answer = resolving.resolve(Reference.parse(version.exact))
        options = ExportOptions(EXPORT_FORMATS["json"])
        response = export_response(request, answer, options, status=201)
        response["Location"] = reverse("api:resolve", args=[version.exact])
        return set_policy(response, CachePolicy.NO_STORE)


def _expected(request: Request) -> VersionNumber | None:
    """Return the expected last published number; None for a tag's first version.

    Raises `Refused`: PRECONDITION_REQUIRED without a precondition, PRECONDITION_FAILED if it is
    malformed.
    """
    match, none_match = request.headers.get("If-Match"), request.headers.get("If-None-Match")
    if match is None and none_match == "*":
        return None
    if match is None or none_match is not None:
        raise Refused(
            Code.PRECONDITION_REQUIRED,
            'A precondition is required: If-Match: "<last published number>", or '
            "If-None-Match: * for the first version of a tag.",
        )
    quoted = NUMBER_ETAG.fullmatch(match.strip())
    try:
        return VersionNumber.parse(quoted[1] if quoted else match)
    except ValueError as error:
        raise Refused(
            Code.PRECONDITION_FAILED,
            f'If-Match: {echo(match)} is not a quoted version number such as "1.0.0".',
        ) from error
