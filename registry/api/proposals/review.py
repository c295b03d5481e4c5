"""POST proposals/<number>/{revise,comment,ask,accept,reject,withdraw}: actions on a proposal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from registry.api.core import request_bodies
from registry.api.core.openapi_schema import BODY_CODES, header, operation
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
from registry.api.proposals.proposals import proposal_response
from registry.api.proposals.serializers import ProposalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.services.core import permissions
from registry.services.core.permissions import Action
from registry.services.proposals import review, submission, timeline


def _proposal_action(
    name: str,
    summary: str,
    request: type[RequestSerializer],
    *codes: Code,
    statuses: Sequence[int] = (200,),
    headers: Sequence[OpenApiParameter] = (),
) -> Callable[[Any], Any]:
    """Describe an operation on a proposal."""
    return operation(
        name,
        summary,
        dict.fromkeys(statuses, ProposalSerializer),
        *(Code.PROPOSAL_UNKNOWN, Code.CONFLICT, *codes),
        parameters=[proposal_requests.NUMBER_IN_PATH, proposal_requests.KEY_HEADER, *headers],
        request=request,
        is_open=False,
    )


class ProposalActionResource(Resource):
    """The base of actions on a proposal."""

    def subjects(self, number: str) -> tuple[TagName]:
        """Return the tag of the proposal. Raises `Refused` (UNAUTHENTICATED, PROPOSAL_UNKNOWN).

        Clients without a token do not learn whether the proposal exists.
        """
        permissions.authenticated(actor_of(self.request))
        return (
            TagName.parse(timeline.find_proposal(proposal_requests.proposal_number(number)).tag),
        )


class Revise(ProposalActionResource):
    """The submitter revises a proposal."""

    write_action = Action.PROPOSE

    @_proposal_action(
        "revise",
        "Revise your own proposal",
        ReviseRequestSerializer,
        *BODY_CODES,
        Code.FORMAT_UNKNOWN,
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Submit a new revision."""
        pk = proposal_requests.proposal_number(number)
        (tag,) = self.subjects(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, ReviseRequestSerializer)
        seen, text = members["revision"], members["text"]
        submitted = proposal_requests.read_submission(members, tag)
        submission.revise(
            pk,
            submitted.source,
            message=submitted.message,
            sources=submitted.sources,
            base=submitted.base,
            seen=seen,
            actor=actor_of(request),
            text=text,
            key=key,
        )
        return proposal_response(self, pk)


class Comment(ProposalActionResource):
    """Comment on a proposal, for everyone with an account."""

    write_action = Action.PROPOSE

    @_proposal_action("comment", "Comment on a proposal", CommentRequestSerializer)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Add a comment, in any state of the proposal."""
        pk = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, CommentRequestSerializer)
        review.comment(pk, text=members["text"], actor=actor_of(request), key=key)
        return proposal_response(self, pk)


class Withdraw(ProposalActionResource):
    """The submitter withdraws a proposal."""

    write_action = Action.PROPOSE

    @_proposal_action("withdraw", "Withdraw your own proposal", WithdrawRequestSerializer)
    def post(self, request: Request, number: str) -> HttpResponse:
        """Withdraw a proposal permanently."""
        pk = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, WithdrawRequestSerializer)
        review.withdraw(pk, text=members["text"], actor=actor_of(request), key=key)
        return proposal_response(self, pk)


class Ask(ProposalActionResource):
    """A curator requests changes."""

    write_action = Action.REVIEW

    @_proposal_action(
        "ask", "Request changes to a proposal", DecisionRequestSerializer, Code.PRECONDITION_FAILED
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Request changes from the submitter."""
        pk = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, DecisionRequestSerializer)
        seen, text = members["revision"], members["text"]
        review.request_changes(pk, seen=seen, text=text, actor=actor_of(request), key=key)
        return proposal_response(self, pk)


class Accept(ProposalActionResource):
    """A curator accepts a proposal, which publishes it; under four-eyes, two curators do."""

    write_action = Action.REVIEW

    @_proposal_action(
        "accept",
        "Accept and publish a proposal",
        AcceptRequestSerializer,
        *BODY_CODES,
        statuses=(201, 202),
        headers=[header("Location", "the path of the new version", of=[201], always=True)],
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Publish the proposal, credited to its submitter, or approve it as the first of two."""
        pk = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, AcceptRequestSerializer)
        seen, text = members["revision"], members["text"]
        version = review.accept(pk, seen=seen, text=text, actor=actor_of(request), key=key)
        if version is None:
            return proposal_response(self, pk, status=202)
        response = proposal_response(self, pk, status=201)
        response["Location"] = reverse("api:resolve", args=[version.exact])
        return response


class Reject(ProposalActionResource):
    """A curator rejects a proposal."""

    write_action = Action.REVIEW

    @_proposal_action(
        "reject", "Reject a proposal", DecisionRequestSerializer, Code.PRECONDITION_FAILED
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Reject the proposal permanently, with a reason."""
        pk = proposal_requests.proposal_number(number)
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, DecisionRequestSerializer)
        seen, text = members["revision"], members["text"]
        review.reject(pk, seen=seen, text=text, actor=actor_of(request), key=key)
        return proposal_response(self, pk)
