"""GET and POST proposals, GET proposals/<number>: bodies that wait for review, or did."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from registry.api import answers, bodies, cursors, parameters, proposed, wished
from registry.api.base import Resource
from registry.api.described import proposing as described
from registry.api.permissions import actor_of
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

    @extend_schema(**described.PROPOSALS)
    def get(self, request: Request) -> HttpResponse:
        """A page of proposals, the oldest first: the undecided, unless others are asked for."""
        asked = request._request
        given = {name: parameters.once(asked, name) or "" for name in FILTERS}
        wanted = proposals.wanted(**given)
        found = proposals.queue(wanted, after=cursors.after(asked))
        shown = {
            "results": [proposed.row(each) for each in found.rows],
            "next": cursors.next_url(asked, found.following),
            "counts": dict(proposals.counts(wanted)),
        }
        return answers.of_json(asked, shown)

    @extend_schema(**described.PROPOSE)
    def post(self, request: Request) -> HttpResponse:
        """Submit a body for review."""
        key = wished.key_of(request)
        said = bodies.members(request._request, required=("tag",), optional=wished.MEMBERS)
        tag = TagName.parse(bodies.text_of(said, "tag"))
        wish = wished.wish(said, tag)
        made = proposing.propose(
            tag,
            wish.source,
            message=wish.message,
            sources=wish.sources,
            base=wish.base,
            actor=actor_of(request),
            key=key,
        )
        response = written(request, made.pk, status=201)
        response["Location"] = reverse("api:proposal", args=[made.pk])
        return response


class Proposal(Resource):
    """One proposal."""

    @extend_schema(**described.PROPOSAL)
    def get(self, request: Request, number: str) -> HttpResponse:
        """A proposal with its revisions, what was said, and what would become of it today."""
        found = proposals.sheet(wished.number_of(number))
        return answers.of_json(request._request, proposed.sheet(found))


def written(request: Request, number: int, *, status: int = 200) -> HttpResponse:
    """A proposal as it is after something was done to it."""
    found = proposed.sheet(proposals.sheet(number))
    return answers.of_json(request._request, found, policy=Policy.NO_STORE, status=status)
