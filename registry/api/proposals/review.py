"""POST proposals/<number>/{revise,comment,ask,accept,reject,withdraw}: actions on a proposal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from registry.api.core import request_bodies
from registry.api.core.openapi_schema import OF_BODY, header, operation
from registry.api.core.permissions import actor_of
from registry.api.core.request_serializers import (
    AcceptRequestSerializer,
    CommentRequestSerializer,
    DecisionRequestSerializer,
    RequestSerializer,
    ReviseRequestSerializer,
    WithdrawRequestSerializer,
)
from registry.api.core.resource import Resource
from registry.api.proposals import proposal_requests
from registry.api.proposals.proposals import written
from registry.api.proposals.serializers import ProposalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.services.core import permissions
from registry.services.core.permissions import Action
from registry.services.proposals import review, submission, timeline


def _act(
    name: str,
    summary: str,
    request: type[RequestSerializer],
    *codes: Code,
    status: int = 200,
    headers: Sequence[OpenApiParameter] = (),
) -> Callable[[Any], Any]:
    """Describe what the operations on a proposal have in common."""
    return operation(
        name,
        summary,
        ProposalSerializer,
        *(Code.PROPOSAL_UNKNOWN, Code.CONFLICT, *codes),
        parameters=[proposal_requests.NUMBER_IN_PATH, proposal_requests.KEY_HEADER, *headers],
        request=request,
        status=status,
        is_open=False,
    )


class OfProposal(Resource):
    """Base of the actions on a proposal."""

    def subjects(self, number: str) -> tuple[TagName]:
        """Return the tag that is proposed.

        Who sends no token does not learn whether there is a proposal. Raises `Refused`
        (UNAUTHENTICATED, PROPOSAL_UNKNOWN).
        """
        permissions.authenticated(actor_of(self.request))
        return (
            TagName.parse(timeline.find_proposal(proposal_requests.proposal_number(number)).tag),
        )


class Revise(OfProposal):
    """The submitter revises a proposal."""

    write_action = Action.PROPOSE

    @_act(
        "revise",
        "Revise one's own proposal",
        ReviseRequestSerializer,
        *OF_BODY,
        Code.FORMAT_UNKNOWN,
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Put another revision in place of the one that was seen."""
        found = proposal_requests.proposal_number(number)
        (tag,) = self.subjects(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, ReviseRequestSerializer)
        seen, text, wish = (
            members["revision"],
            members["text"],
            proposal_requests.read_submission(members, tag),
        )
        submission.revise(
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
        return written(self, found)


class Comment(OfProposal):
    """Anyone with an account comments on a proposal."""

    write_action = Action.PROPOSE

    @_act("comment", "Say something about a proposal", CommentRequestSerializer)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Say something, whatever its state."""
        found = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, CommentRequestSerializer)
        review.comment(found, text=members["text"], actor=actor_of(request), key=key)
        return written(self, found)


class Withdraw(OfProposal):
    """The submitter withdraws a proposal."""

    write_action = Action.PROPOSE

    @_act("withdraw", "Take one's own proposal back", WithdrawRequestSerializer)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Take it back, for good."""
        found = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, WithdrawRequestSerializer)
        review.withdraw(found, text=members["text"], actor=actor_of(request), key=key)
        return written(self, found)


class Ask(OfProposal):
    """A curator requests changes."""

    write_action = Action.REVIEW

    @_act(
        "ask", "Ask for changes of a proposal", DecisionRequestSerializer, Code.PRECONDITION_FAILED
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Ask its submitter for changes."""
        found = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, DecisionRequestSerializer)
        seen, text = members["revision"], members["text"]
        review.request_changes(found, seen=seen, text=text, actor=actor_of(request), key=key)
        return written(self, found)


class Accept(OfProposal):
    """A curator accepts a proposal, which publishes it."""

    write_action = Action.REVIEW

    @_act(
        "accept",
        "Accept a proposal: it is published",
        AcceptRequestSerializer,
        *OF_BODY,
        status=201,
        headers=[header("Location", "where the new version resolves", of=[201], always=True)],
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Publish it, to the credit of its submitter."""
        found = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, AcceptRequestSerializer)
        seen, text = members["revision"], members["text"]
        version = review.accept(found, seen=seen, text=text, actor=actor_of(request), key=key)
        response = written(self, found, status=201)
        response["Location"] = reverse("api:resolve", args=[version.exact])
        return response


class Reject(OfProposal):
    """A curator rejects a proposal."""

    write_action = Action.REVIEW

    @_act("reject", "Reject a proposal", DecisionRequestSerializer, Code.PRECONDITION_FAILED)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Decide against it, for good, and say why."""
        found = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, DecisionRequestSerializer)
        seen, text = members["revision"], members["text"]
        review.reject(found, seen=seen, text=text, actor=actor_of(request), key=key)
        return written(self, found)
