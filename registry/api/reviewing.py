"""POST proposals/<number>/revise, comment, ask, accept, reject, withdraw: what becomes of one."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import bodies, wished
from registry.api.base import Resource
from registry.api.described import proposing as described
from registry.api.proposals import written
from registry.services.permissions import Action
from registry.services.reviewing import deciding, proposing


class Revise(Resource):
    """A proposal that its submitter changes."""

    @extend_schema(**described.REVISE)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Put another revision in place of the one that was seen."""
        user, found, tag = wished.who(request, Action.PROPOSE, number)
        key = wished.key_of(request)
        optional = (*wished.MEMBERS, "text")
        said = bodies.members(request._request, required=("revision",), optional=optional)
        seen, text, wish = _seen(said), bodies.text_of(said, "text"), wished.wish(said, tag)
        proposing.revise(
            found,
            wish.source,
            message=wish.message,
            sources=wish.sources,
            base=wish.base,
            seen=seen,
            actor=user,
            text=text,
            key=key,
        )
        return written(request, found)


class Comment(Resource):
    """A proposal that somebody talks about."""

    @extend_schema(**described.COMMENT)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Say something, whatever its state."""
        user, found, _ = wished.who(request, Action.PROPOSE, number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("text",))
        deciding.comment(found, text=bodies.text_of(said, "text"), actor=user, key=key)
        return written(request, found)


class Withdraw(Resource):
    """A proposal that its submitter takes back."""

    @extend_schema(**described.WITHDRAW)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Take it back, for good."""
        user, found, _ = wished.who(request, Action.PROPOSE, number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=(), optional=("text",))
        deciding.withdraw(found, text=bodies.text_of(said, "text"), actor=user, key=key)
        return written(request, found)


class Ask(Resource):
    """A proposal that is not good yet."""

    @extend_schema(**described.ASK)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Ask its submitter for changes."""
        user, found, _ = wished.who(request, Action.REVIEW, number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("revision", "text"))
        seen, text = _seen(said), bodies.text_of(said, "text")
        deciding.ask(found, seen=seen, text=text, actor=user, key=key)
        return written(request, found)


class Accept(Resource):
    """A proposal that becomes a version."""

    @extend_schema(**described.ACCEPT)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Publish it, to the credit of its submitter."""
        user, found, _ = wished.who(request, Action.REVIEW, number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("revision",), optional=("text",))
        seen, text = _seen(said), bodies.text_of(said, "text")
        version = deciding.accept(found, seen=seen, text=text, actor=user, key=key)
        response = written(request, found, status=201)
        response["Location"] = reverse("api:resolve", args=[version.exact])
        return response


class Reject(Resource):
    """A proposal that is not wanted."""

    @extend_schema(**described.REJECT)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Decide against it, for good, and say why."""
        user, found, _ = wished.who(request, Action.REVIEW, number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("revision", "text"))
        seen, text = _seen(said), bodies.text_of(said, "text")
        deciding.reject(found, seen=seen, text=text, actor=user, key=key)
        return written(request, found)


def _seen(said: dict[str, str]) -> int:
    return bodies.count_of(said, "revision")
