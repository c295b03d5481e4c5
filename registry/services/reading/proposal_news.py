"""What happened to proposals lately, for feeds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from registry.models import Proposal, Turn
from registry.services.namespace_lookup import known_namespace
from registry.services.reading import news
from registry.services.reviewing import turns


@dataclass(frozen=True, slots=True)
class Lately:
    """What a feed tells: proposals of a namespace, or the turns of one; the newest first."""

    began: datetime  # when the namespace or the proposal was made
    registry: str  # tells this registry's from another's, as in `news`
    proposals: tuple[Proposal, ...] = ()
    turns: tuple[Turn, ...] = ()


def of_namespace(name: str) -> Lately:
    """What moved last in a namespace's queue. Three queries.

    Raises `Refused` (NAMESPACE_UNKNOWN) with near names.
    """
    namespace = known_namespace(name)
    found = Proposal.objects.filter(namespace=namespace).select_related("submitter")
    newest = tuple(found.order_by("-changed", "-pk")[: news.MOST])
    return Lately(namespace.created, news.log_began().isoformat(), proposals=newest)


def of_proposal(number: int) -> Lately:
    """What was done to a proposal lately. Three queries. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    proposal = turns.known(number)
    said = Turn.objects.filter(proposal=proposal).select_related("author").order_by("-sequence")
    newest = tuple(said[: news.MOST])
    for turn in newest:
        turn.proposal = proposal
    return Lately(proposal.created, news.log_began().isoformat(), turns=newest)
