"""GET and POST proposals, GET proposals/<number>: bodies that wait for review, or did."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from registry.api import bodies, cursors, parameters, wished
from registry.api.base import Resource
from registry.api.permissions import actor_of
from registry.api.schema import CURSOR, OF_BODY, header, operation, query
from registry.api.serializers.proposals import ProposalPageSerializer, ProposalSerializer
from registry.api.serializers.requests import ProposeRequestSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.http.caching import Policy
from registry.services.permissions import Action
from registry.services.reading import proposals
from registry.services.reviewing import proposing

FILTERS = ("state", "namespace", "tag", "submitter")


class Proposals(Resource):
    """What people would have published."""

    write_action = Action.PROPOSE
    parameters = frozenset({*FILTERS, cursors.PARAMETER})

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
                enum=["", *proposals.STATES],
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
        given = {name: parameters.once(asked, name) or "" for name in FILTERS}
        wanted = proposals.wanted(**given)
        page = proposals.queue(wanted, after=cursors.after(asked))
        counted = {"page": page, "counts": proposals.counts(wanted)}
        return self.answer(ProposalPageSerializer, counted)

    @operation(
        "propose",
        "Submit a body for review",
        ProposalSerializer,
        Code.NAMESPACE_UNKNOWN,
        *OF_BODY,
        Code.FORMAT_UNKNOWN,
        parameters=[
            wished.KEY_HEADER,
            header("Location", "where the proposal is", of=[201], always=True),
        ],
        request=ProposeRequestSerializer,
        status=201,
        is_open=False,
    )
    def post(self, request: Request) -> HttpResponse:
        """Submit a body for review."""
        key = wished.key_of(request)
        members = bodies.read(request._request, ProposeRequestSerializer)
        tag = TagName.parse(members["tag"])
        wish = wished.wish(members, tag)
        made = proposing.propose(
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
    """One proposal."""

    @operation(
        "proposal",
        "A proposal with its history, and what would become of it today",
        ProposalSerializer,
        Code.PROPOSAL_UNKNOWN,
        parameters=[wished.NUMBER_IN_PATH],
    )
    def get(self, request: Request, number: str) -> HttpResponse:
        """A proposal with its revisions, what was said, and what would become of it today."""
        return self.answer(ProposalSerializer, proposals.sheet(wished.number_of(number)))


def written(view: Resource, number: int, *, status: int = 200) -> HttpResponse:
    """A proposal as it is after something was done to it."""
    sheet = proposals.sheet(number)
    return view.answer(ProposalSerializer, sheet, policy=Policy.NO_STORE, status=status)
