"""POST yank, unyank, deprecate and undeprecate."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import request_bodies
from registry.api.core.openapi_schema import CHANGE_CODES, EXACT, TAG, operation
from registry.api.core.permissions import actor_of
from registry.api.core.request_bodies import Members
from registry.api.core.request_serializers import (
    DeprecateRequestSerializer,
    ReasonRequestSerializer,
)
from registry.api.core.resource import Resource
from registry.api.tags.serializers import DeprecationSerializer
from registry.api.tags.tags import name_of
from registry.api.versions.version_serializers import WithdrawalSerializer
from registry.domain.errors import Code, report_errors_at
from registry.domain.reference import Reference, Tag as TagName
from registry.http.caching import Policy
from registry.services.core.permissions import Action
from registry.services.tags import detail
from registry.services.tags.deprecation import deprecate, undeprecate
from registry.services.versions import yanking


class VersionActionResource(Resource):
    """The base of actions on a version."""

    def subjects(self, reference: Reference) -> tuple[Reference]:
        """Return the version. Raises `Refused` (REFERENCE_INVALID) unless it is exact."""
        yanking.refuse_inexact(reference)
        return (reference,)


class TagActionResource(Resource):
    """The base of actions on a tag."""

    def subjects(self, reference: Reference) -> tuple[TagName]:
        """Return the tag. Raises `Refused` (REFERENCE_INVALID)."""
        return (TagName.parse(name_of(reference)),)


class Yank(VersionActionResource):
    """Yank a version of a tag."""

    write_action = Action.YANK

    @operation(
        "yank",
        "Yank a version",
        WithdrawalSerializer,
        *CHANGE_CODES,
        Code.VERSION_UNKNOWN,
        parameters=[EXACT],
        request=ReasonRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Yank a version: exact references still resolve, with the reason."""
        members = request_bodies.read(request._request, ReasonRequestSerializer)
        withdrawal = yanking.yank(reference, reason=members["reason"], actor=actor_of(request))
        return self.answer(WithdrawalSerializer, withdrawal, policy=Policy.NO_STORE)


class Unyank(VersionActionResource):
    """Undo the yank of a version."""

    write_action = Action.UNYANK

    @operation(
        "unyank",
        "Undo a yank",
        WithdrawalSerializer,
        *CHANGE_CODES,
        Code.VERSION_UNKNOWN,
        Code.CYCLE,
        parameters=[EXACT],
        request=ReasonRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Undo the yank of a version."""
        members = request_bodies.read(request._request, ReasonRequestSerializer)
        withdrawal = yanking.unyank(reference, reason=members["reason"], actor=actor_of(request))
        return self.answer(WithdrawalSerializer, withdrawal, policy=Policy.NO_STORE)


class Deprecate(TagActionResource):
    """Deprecate a tag and its versions."""

    write_action = Action.DEPRECATE

    @operation(
        "deprecate",
        "Deprecate a tag",
        DeprecationSerializer,
        *CHANGE_CODES,
        parameters=[TAG],
        request=DeprecateRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Deprecate a tag, optionally with a successor."""
        tag = TagName.parse(name_of(reference))
        members = request_bodies.read(request._request, DeprecateRequestSerializer)
        reason, successor = members["reason"], _successor(members)
        deprecate(tag, reason=reason, successor=successor, actor=actor_of(request))
        return _state(self, tag)


class Undeprecate(TagActionResource):
    """Undo the deprecation of a tag."""

    write_action = Action.UNDEPRECATE

    @operation(
        "undeprecate",
        "Undo a deprecation",
        DeprecationSerializer,
        *CHANGE_CODES,
        parameters=[TAG],
        request=ReasonRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Undo the deprecation of a tag."""
        tag = TagName.parse(name_of(reference))
        members = request_bodies.read(request._request, ReasonRequestSerializer)
        undeprecate(tag, reason=members["reason"], actor=actor_of(request))
        return _state(self, tag)


def _successor(members: Members) -> TagName | None:
    if "successor" not in members:
        return None
    with report_errors_at("/successor"):
        return TagName.parse(members["successor"])


def _state(view: Resource, tag: TagName) -> HttpResponse:
    profile = detail.tag_profile(str(tag))
    return view.answer(DeprecationSerializer, profile, policy=Policy.NO_STORE)
