"""POST yank, unyank, deprecate and undeprecate."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core import request_bodies
from registry.api.core.openapi_schema import CHANGING, EXACT, TAG, operation
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


class OfVersion(Resource):
    """Base of the actions on a version."""

    def subjects(self, reference: Reference) -> tuple[Reference]:
        """Return the version. Raises `Refused` (REFERENCE_INVALID) unless the number is full."""
        yanking.refuse_inexact(reference)
        return (reference,)


class OfTag(Resource):
    """Base of the actions on a tag."""

    def subjects(self, reference: Reference) -> tuple[TagName]:
        """Return the tag. Raises `Refused` (REFERENCE_INVALID)."""
        return (TagName.parse(name_of(reference)),)


class Yank(OfVersion):
    """Yank a version."""

    write_action = Action.YANK

    @operation(
        "yank",
        "Withdraw a version",
        WithdrawalSerializer,
        *CHANGING,
        Code.VERSION_UNKNOWN,
        parameters=[EXACT],
        request=ReasonRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Withdraw a version: exact pins still resolve, with the reason."""
        members = request_bodies.read(request._request, ReasonRequestSerializer)
        made = yanking.yank(reference, reason=members["reason"], actor=actor_of(request))
        return self.answer(WithdrawalSerializer, made, policy=Policy.NO_STORE)


class Unyank(OfVersion):
    """Undo a yank."""

    write_action = Action.UNYANK

    @operation(
        "unyank",
        "Take a yank back",
        WithdrawalSerializer,
        *CHANGING,
        Code.VERSION_UNKNOWN,
        Code.CYCLE,
        parameters=[EXACT],
        request=ReasonRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Take a yank back."""
        members = request_bodies.read(request._request, ReasonRequestSerializer)
        made = yanking.unyank(reference, reason=members["reason"], actor=actor_of(request))
        return self.answer(WithdrawalSerializer, made, policy=Policy.NO_STORE)


class Deprecate(OfTag):
    """Deprecate a tag."""

    write_action = Action.DEPRECATE

    @operation(
        "deprecate",
        "Mark a tag as superseded",
        DeprecationSerializer,
        *CHANGING,
        parameters=[TAG],
        request=DeprecateRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Mark a tag as superseded, perhaps by another."""
        tag = TagName.parse(name_of(reference))
        members = request_bodies.read(request._request, DeprecateRequestSerializer)
        reason, successor = members["reason"], _successor(members)
        deprecate(tag, reason=reason, successor=successor, actor=actor_of(request))
        return _state(self, tag)


class Undeprecate(OfTag):
    """Undo a deprecation."""

    write_action = Action.UNDEPRECATE

    @operation(
        "undeprecate",
        "Take a deprecation back",
        DeprecationSerializer,
        *CHANGING,
        parameters=[TAG],
        request=ReasonRequestSerializer,
        is_open=False,
    )
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Take a deprecation back."""
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
