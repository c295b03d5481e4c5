"""POST proposals/<number>/{comment,ask,accept,reject,withdraw}: the actions on a proposal."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from registry.actions import proposals
from registry.actions.action_form import Outcome
from registry.api.core.action_resource import ActionResource
from registry.api.core.idempotency import KEY_HEADER, idempotency_key
from registry.api.proposals.proposal_requests import (
    NUMBER_IN_PATH,
    proposal_number,
    proposed_tag,
)
from registry.api.proposals.serializers import ProposalSerializer
from registry.domain.errors import Code
from registry.domain.reference import Tag as TagName
from registry.services.proposals import listing
from registry.services.proposals.listing import ProposalDetail


class ProposalActions(ActionResource):
    """The actions on a proposal."""

    subject_type = proposals.PROPOSAL
    path = "proposals/<rest:number>/{slug}"
    serializer = ProposalSerializer
    codes = (Code.PROPOSAL_UNKNOWN, Code.CONFLICT)
    described = (NUMBER_IN_PATH, KEY_HEADER)
    created = "version"

    def subjects(self, number: str) -> tuple[TagName]:
        """Return the tag of the proposal. Raises `Refused` (UNAUTHENTICATED, PROPOSAL_UNKNOWN)."""
        return (proposed_tag(self.request, number),)

    def name_of(self, number: str) -> int:
        """Return the number of the proposal."""
        return proposal_number(number)

    def conditions(self, request: Request) -> dict[str, Any]:
        """Return the idempotency key."""
        return {"key": idempotency_key(request)}

    def represented(self, name: int, outcome: Outcome) -> ProposalDetail:
        """Return the proposal with its history."""
        return listing.proposal_detail(name)
