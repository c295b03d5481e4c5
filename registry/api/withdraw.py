"""POST yank, unyank, deprecate, undeprecate: second thoughts about a version, or about a tag."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies
from registry.api.base import Resource
from registry.api.described import withdrawing as described
from registry.api.permissions import actor_of
from registry.api.summaries import deprecation
from registry.api.tags import name_of
from registry.domain.errors import at
from registry.domain.reference import Reference, Tag as TagName
from registry.http.caching import Policy
from registry.models import Withdrawal
from registry.services import withdrawing
from registry.services.deprecation import deprecate, undeprecate
from registry.services.permissions import Action
from registry.services.reading import browsing
from registry.services.resolving import ACTIVE, YANKED


class OfVersion(Resource):
    """What is done to one version."""

    def subjects(self, reference: Reference) -> tuple[Reference]:
        """Return the version. Raises `Refused` (REFERENCE_INVALID) unless the number is full."""
        withdrawing.refuse_inexact(reference)
        return (reference,)


class OfTag(Resource):
    """What is done to a tag."""

    def subjects(self, reference: Reference) -> tuple[TagName]:
        """Return the tag. Raises `Refused` (REFERENCE_INVALID)."""
        return (TagName.parse(name_of(reference)),)


class Yank(OfVersion):
    """A version withdrawn."""

    write_action = Action.YANK

    @extend_schema(**described.YANK)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Withdraw a version: exact pins still resolve, with the reason."""
        said = bodies.members(request._request, required=("reason",))
        reason = bodies.text_of(said, "reason")
        made = withdrawing.yank(reference, reason=reason, actor=actor_of(request))
        return _withdrawn(request, made)


class Unyank(OfVersion):
    """A version that was withdrawn."""

    write_action = Action.UNYANK

    @extend_schema(**described.UNYANK)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Take a yank back."""
        said = bodies.members(request._request, required=("reason",))
        reason = bodies.text_of(said, "reason")
        made = withdrawing.unyank(reference, reason=reason, actor=actor_of(request))
        return _withdrawn(request, made)


class Deprecate(OfTag):
    """A tag that is superseded."""

    write_action = Action.DEPRECATE

    @extend_schema(**described.DEPRECATE)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Mark a tag as superseded, perhaps by another."""
        tag = TagName.parse(name_of(reference))
        said = bodies.members(request._request, required=("reason",), optional=("successor",))
        reason, successor = bodies.text_of(said, "reason"), _successor(said)
        actor = actor_of(request)
        deprecate(tag, reason=reason, successor=successor, actor=actor)
        return _state(request, tag)


class Undeprecate(OfTag):
    """A tag that was superseded."""

    write_action = Action.UNDEPRECATE

    @extend_schema(**described.UNDEPRECATE)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Take a deprecation back."""
        tag = TagName.parse(name_of(reference))
        said = bodies.members(request._request, required=("reason",))
        reason = bodies.text_of(said, "reason")
        undeprecate(tag, reason=reason, actor=actor_of(request))
        return _state(request, tag)


def _successor(said: dict[str, str]) -> TagName | None:
    if "successor" not in said:
        return None
    with at("/successor"):
        return TagName.parse(bodies.text_of(said, "successor"))


def _withdrawn(request: Request, made: Withdrawal) -> HttpResponse:
    shown: dict[str, Any] = {
        "reference": made.version.exact,
        "status": YANKED if made.yanked else ACTIVE,
        "reason": made.reason,
        "at": f"{made.created:%Y-%m-%dT%H:%M:%SZ}",
        "by": made.actor.username,
    }
    return answers.of_json(request._request, shown, policy=Policy.NO_STORE)


def _state(request: Request, tag: TagName) -> HttpResponse:
    found = browsing.profile(str(tag))
    shown = {
        "tag": found.tag.text,
        "status": found.status,
        "deprecated": deprecation(found.tag),
    }
    return answers.of_json(request._request, shown, policy=Policy.NO_STORE)
