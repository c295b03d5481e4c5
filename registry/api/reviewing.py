"""POST proposals/<number>/revise, comment, ask, accept, reject, withdraw: what becomes of one."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import bodies, wished
from registry.api.base import Resource
from registry.api.described import proposing as described
from registry.api.permissions import actor_of
from registry.api.proposals import written
from registry.domain.reference import Tag as TagName
from registry.services import permissions
from registry.services.permissions import Action
from registry.services.reviewing import deciding, proposing, turns


class OfProposal(Resource):
    """What is done to a proposal."""

    def subjects(self, number: str) -> tuple[TagName]:
        """Return the tag that is proposed.

        Who sends no token does not learn whether there is a proposal. Raises `Refused`
        (UNAUTHENTICATED, PROPOSAL_UNKNOWN).
        """
        permissions.authenticated(actor_of(self.request))
        return (TagName.parse(turns.known(wished.number_of(number)).tag),)


class Revise(OfProposal):
    """A proposal that its submitter changes."""

    write_action = Action.PROPOSE

    @extend_schema(**described.REVISE)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Put another revision in place of the one that was seen."""
        found = wished.number_of(number)
        key = wished.key_of(request)
        optional = (*wished.MEMBERS, "text")
        said = bodies.members(request._request, required=("revision",), optional=optional)
        (tag,) = self.subjects(number)
        seen, text, wish = _seen(said), bodies.text_of(said, "text"), wished.wish(said, tag)
        proposing.revise(
            found,
            wish.source,
            message=wish.message,
            sources=wish.sources,
            base=wish.base,
            seen=seen,
            actor=actor_of(request),
            text=text,
            key=key,
        )
        return written(request, found)


class Comment(OfProposal):
    """A proposal that somebody talks about."""

    write_action = Action.PROPOSE

    @extend_schema(**described.COMMENT)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Say something, whatever its state."""
        found = wished.number_of(number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("text",))
        deciding.comment(found, text=bodies.text_of(said, "text"), actor=actor_of(request), key=key)
        return written(request, found)


class Withdraw(OfProposal):
    """A proposal that its submitter takes back."""

    write_action = Action.PROPOSE

    @extend_schema(**described.WITHDRAW)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Take it back, for good."""
        found = wished.number_of(number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=(), optional=("text",))
        deciding.withdraw(
            found, text=bodies.text_of(said, "text"), actor=actor_of(request), key=key
        )
        return written(request, found)


class Ask(OfProposal):
    """A proposal that is not good yet."""

    write_action = Action.REVIEW

    @extend_schema(**described.ASK)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Ask its submitter for changes."""
        found = wished.number_of(number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("revision", "text"))
        seen, text = _seen(said), bodies.text_of(said, "text")
        deciding.ask(found, seen=seen, text=text, actor=actor_of(request), key=key)
        return written(request, found)


class Accept(OfProposal):
    """A proposal that becomes a version."""

    write_action = Action.REVIEW

    @extend_schema(**described.ACCEPT)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Publish it, to the credit of its submitter."""
        found = wished.number_of(number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("revision",), optional=("text",))
        seen, text = _seen(said), bodies.text_of(said, "text")
        version = deciding.accept(found, seen=seen, text=text, actor=actor_of(request), key=key)
        response = written(request, found, status=201)
        response["Location"] = reverse("api:resolve", args=[version.exact])
        return response


class Reject(OfProposal):
    """A proposal that is not wanted."""

    write_action = Action.REVIEW

    @extend_schema(**described.REJECT)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Decide against it, for good, and say why."""
        found = wished.number_of(number)
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("revision", "text"))
        seen, text = _seen(said), bodies.text_of(said, "text")
        deciding.reject(found, seen=seen, text=text, actor=actor_of(request), key=key)
        return written(request, found)


def _seen(said: dict[str, str]) -> int:
    return bodies.count_of(said, "revision")
