"""GET and POST proposals, GET proposals/<number>, POST proposals/<number>/revise."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api.core import parameters
from registry.api.core.idempotency import KEY_HEADER, idempotency_key
from registry.api.core.openapi_schema import PAGED, header, operation, query
from registry.api.core.permissions import actor_of
from registry.api.core.resource import Resource
from registry.api.proposals import proposal_requests
from registry.api.proposals.serializers import ProposalPageSerializer, ProposalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.http.caching import CachePolicy
from registry.http.problems import BODY_CODES
from registry.services.core.permission_rules import Action
from registry.services.proposals import listing, submission

FILTERS = ("state", "namespace", "tag", "submitter")


class Proposals(Resource):
    """The review queue and its submissions."""

    write_action = Action.PROPOSE

    def subjects(self) -> tuple[()]:
        """Return no subjects: the tag is in the request's body, and the service checks it."""
        return ()

    @operation(
        "proposals",
        "Proposals, oldest first",
        ProposalPageSerializer,
        Code.NAMESPACE_UNKNOWN,
        parameters=[
            query(
                "state",
                "by default undecided; an empty filter is ignored",
                enum=["", *listing.STATES],
            ),
            query("namespace", "only proposals in this namespace"),
            query("tag", "only proposals for this tag"),
            query("submitter", "only proposals by this user"),
            *PAGED,
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        """Return a page of proposals, oldest first; by default the undecided ones."""
        filters = listing.parse_filters(**parameters.texts(request, FILTERS))
        page = listing.list_queue(filters, **parameters.requested_page(request))
        queue = {"page": page, "counts": listing.count_by_state(filters)}
        return self.answer(ProposalPageSerializer, queue)

    @operation(
        "propose",
        "Submit a body for review",
        ProposalSerializer,
        Code.NAMESPACE_UNKNOWN,
        *BODY_CODES,
        Code.FORMAT_UNKNOWN,
        parameters=[
            KEY_HEADER,
            header("Location", "the path of the proposal", of=[201], always=True),
        ],
        request=proposal_requests.PROPOSE,
        status=201,
        needs_token=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Submit a body for review."""
        key = idempotency_key(request)
        values = proposal_requests.PROPOSE.read(request)
        submitted = proposal_requests.read_submission(values, values["tag"])
        proposal = submission.propose(values["tag"], **submitted, actor=actor_of(request), key=key)
        response = proposal_response(self, proposal.pk, status=201)
        response["Location"] = reverse("api:proposal", args=[proposal.pk])
        return response


class ProposalView(Resource):
    """One proposal with its history."""

    @operation(
        "proposal",
        "A proposal with its history and its current verdict",
        ProposalSerializer,
        Code.PROPOSAL_UNKNOWN,
        parameters=[proposal_requests.NUMBER_IN_PATH],
    )
    def get(self, request: Request, number: str) -> HttpResponse:
        """Return a proposal with its revisions, its history and its current verdict."""
        return self.answer(
            ProposalSerializer, listing.proposal_detail(proposal_requests.proposal_number(number))
        )


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
        Code.PROPOSAL_UNKNOWN,
        Code.CONFLICT,
        *BODY_CODES,
        Code.FORMAT_UNKNOWN,
        parameters=[proposal_requests.NUMBER_IN_PATH, KEY_HEADER],
        request=proposal_requests.REVISE,
        needs_token=True,
    )
    def post(self, request: Request, number: str) -> HttpResponse:
        """Submit a new revision."""
        pk = proposal_requests.proposal_number(number)
        (tag,) = self.subjects(number)
        key = idempotency_key(request)
        values = proposal_requests.REVISE.read(request)
        submitted = proposal_requests.read_submission(values, tag)
        seen, text = values["revision"], values["text"]
        submission.revise(pk, **submitted, seen=seen, text=text, actor=actor_of(request), key=key)
        return proposal_response(self, pk)


def proposal_response(view: Resource, number: int, *, status: int = 200) -> HttpResponse:
    """Return the response with a proposal after a write."""
    detail = listing.proposal_detail(number)
    return view.answer(ProposalSerializer, detail, policy=CachePolicy.NO_STORE, status=status)
