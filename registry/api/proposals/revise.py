"""POST proposals/<number>/revise: the submitter's next revision."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from registry.api.core.openapi_schema import operation
from registry.api.core.permissions import actor_of
from registry.api.core.resource import Resource
from registry.api.proposals import proposal_requests
from registry.api.proposals.proposals import proposal_response
from registry.api.proposals.serializers import ProposalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.http.problems import BODY_CODES
from registry.services.core.permissions import Action
from registry.services.proposals import submission


class Revise(Resource):
    """The submitter revises a proposal."""

    write_action = Action.PROPOSE

    def subjects(self, number: str) -> tuple[TagName]:
        """Return the tag of the proposal. Raises `Refused` (UNAUTHENTICATED, PROPOSAL_UNKNOWN)."""
        return (proposal_requests.proposed_tag(self.request, number),)

    @operation(
        "revise",
        "Revise your own proposal",
        ProposalSerializer,
        *(Code.PROPOSAL_UNKNOWN, Code.CONFLICT),
        *BODY_CODES,
        Code.FORMAT_UNKNOWN,
        parameters=[proposal_requests.NUMBER_IN_PATH, proposal_requests.KEY_HEADER],
        request=proposal_requests.REVISE,
        is_open=False,
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Submit a new revision."""
        pk = proposal_requests.proposal_number(number)
        (tag,) = self.subjects(number)
        key = proposal_requests.idempotency_key(request)
        values = proposal_requests.REVISE.read(request._request)
        submitted = proposal_requests.read_submission(values, tag)
        submission.revise(
            pk,
            submitted.source,
            message=submitted.message,
            sources=submitted.sources,
            base=submitted.base,
            seen=values["revision"],
            actor=actor_of(request),
            text=values["text"],
            key=key,
        )
        return proposal_response(self, pk)
