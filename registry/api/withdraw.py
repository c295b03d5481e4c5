"""POST yank, unyank, deprecate, undeprecate: second thoughts about a version, or about a tag."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies
from registry.api.base import Resource, actor_of
from registry.api.described import withdrawing as described
from registry.api.summaries import deprecation
from registry.api.tags import name_of
from registry.domain.errors import at
from registry.domain.reference import Reference, Tag as TagName
from registry.http.caching import Policy
from registry.models import User, Withdrawal
from registry.services import permissions, withdrawing
from registry.services.permissions import Action
from registry.services.reading import browsing
from registry.services.resolving import ACTIVE, YANKED


class Yank(Resource):
    """A version withdrawn."""

    @extend_schema(**described.YANK)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Withdraw a version: exact pins still resolve, with the reason."""
        user = _who(request, Action.YANK, reference)
        said = bodies.members(request._request, required=("reason",))
        reason = bodies.text_of(said, "reason")
        return _withdrawn(request, withdrawing.yank(reference, reason=reason, actor=user))


class Unyank(Resource):
    """A version that was withdrawn."""

    @extend_schema(**described.UNYANK)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Take a yank back."""
        user = _who(request, Action.UNYANK, reference)
        said = bodies.members(request._request, required=("reason",))
        reason = bodies.text_of(said, "reason")
        return _withdrawn(request, withdrawing.unyank(reference, reason=reason, actor=user))


class Deprecate(Resource):
    """A tag that is superseded."""

    @extend_schema(**described.DEPRECATE)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Mark a tag as superseded, perhaps by another."""
        tag = TagName.parse(name_of(reference))
        user = permissions.demand(actor_of(request), Action.DEPRECATE, tag)
        said = bodies.members(request._request, required=("reason",), optional=("successor",))
        reason, successor = bodies.text_of(said, "reason"), _successor(said)
        withdrawing.deprecate(tag, reason=reason, successor=successor, actor=user)
        return _state(request, tag)


class Undeprecate(Resource):
    """A tag that was superseded."""

    @extend_schema(**described.UNDEPRECATE)
    def post(self, request: Request, reference: Reference) -> HttpResponse:
        """Take a deprecation back."""
        tag = TagName.parse(name_of(reference))
        user = permissions.demand(actor_of(request), Action.UNDEPRECATE, tag)
        said = bodies.members(request._request, required=("reason",))
        withdrawing.undeprecate(tag, reason=bodies.text_of(said, "reason"), actor=user)
        return _state(request, tag)


def _who(request: Request, action: Action, reference: Reference) -> User:
    """Who may do this to a version; the path is judged first."""
    withdrawing.refuse_inexact(reference)
    return permissions.demand(actor_of(request), action, reference)


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
