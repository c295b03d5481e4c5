"""GET and POST proposals, GET proposals/<number>: the review queue and its proposals."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api.core import paging, parameters, request_bodies
from registry.api.core.openapi_schema import CURSOR, OF_BODY, header, operation, query
from registry.api.core.permissions import actor_of
from registry.api.core.request_serializers import ProposeRequestSerializer
from registry.api.core.resource import Resource
from registry.api.proposals import proposal_requests
from registry.api.proposals.serializers import ProposalPageSerializer, ProposalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.http.caching import Policy
from registry.services.core.permissions import Action
from registry.services.proposals import listing, submission

FILTERS = ("state", "namespace", "tag", "submitter")


class Proposals(Resource):
    """The review queue, and submitting to it."""

    write_action = Action.PROPOSE
    parameters = frozenset({*FILTERS, paging.PARAMETER})

    def subjects(self) -> tuple[()]:
        """Return none: the request's body holds the tag, and the service checks it."""
        return ()

    @operation(
        "proposals",
        "Proposals, the oldest first",
        ProposalPageSerializer,
        Code.FILTER_INVALID,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            query(
                "state",
                "undecided, unless another is asked for; empty filters are none",
                enum=["", *listing.STATES],
            ),
            query("namespace", "those in one namespace"),
            query("tag", "those for one tag"),
            query("submitter", "those of one person"),
            CURSOR,
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """A page of proposals, the oldest first: the undecided, unless others are asked for."""
        asked = request._request
        given = {name: parameters.single_value(asked, name) or "" for name in FILTERS}
        wanted = listing.parse_filters(**given)
        page = listing.list_queue(wanted, after=paging.requested_cursor(asked))
        counted = {"page": page, "counts": listing.count_by_state(wanted)}
        return self.answer(ProposalPageSerializer, counted)

    @operation(
        "propose",
        "Submit a body for review",
        ProposalSerializer,
        Code.NAMESPACE_UNKNOWN,
        *OF_BODY,
        Code.FORMAT_UNKNOWN,
        parameters=[
            proposal_requests.KEY_HEADER,
            header("Location", "where the proposal is", of=[201], always=True),
        ],
        request=ProposeRequestSerializer,
        status=201,
        is_open=False,
    )
    def post(self, request: Request) -> HttpResponse:
        """Submit a body for review."""
        key = proposal_requests.idempotency_key(request)
        members = request_bodies.read(request._request, ProposeRequestSerializer)
        tag = TagName.parse(members["tag"])
        wish = proposal_requests.read_submission(members, tag)
        made = submission.propose(
            tag,
            wish.source,
            message=wish.message,
            sources=wish.sources,
            base=wish.base,
            actor=actor_of(request),
            key=key,
        )
        response = written(self, made.pk, status=201)
        response["Location"] = reverse("api:proposal", args=[made.pk])
        return response


class Proposal(Resource):
    """One proposal with its history."""

    @operation(
        "proposal",
        "A proposal with its history, and what would become of it today",
        ProposalSerializer,
        Code.PROPOSAL_UNKNOWN,
        parameters=[proposal_requests.NUMBER_IN_PATH],
    )
    def get(self, request: Request, number: str) -> HttpResponse:
        """A proposal with its revisions, what was said, and what would become of it today."""
        return self.answer(
            ProposalSerializer, listing.proposal_detail(proposal_requests.proposal_number(number))
        )


def written(view: Resource, number: int, *, status: int = 200) -> HttpResponse:
    """Return the response with a proposal after a write."""
    sheet = listing.proposal_detail(number)
    return view.answer(ProposalSerializer, sheet, policy=Policy.NO_STORE, status=status)
