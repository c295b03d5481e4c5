"""What happened to proposals lately, for feeds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from registry.models import Proposal, Turn
from registry.services.events import news
from registry.services.namespaces.lookup import known_namespace
from registry.services.proposals import timeline


@dataclass(frozen=True, slots=True)
class ProposalNews:
    """What a feed tells: proposals of a namespace, or the turns of one; the newest first."""

    began: datetime  # when the namespace or the proposal was made
    registry: str  # tells this registry's from another's, as in `news`
    proposals: tuple[Proposal, ...] = ()
    turns: tuple[Turn, ...] = ()


def namespace_proposal_news(name: str) -> ProposalNews:
    """What moved last in a namespace's queue. Three queries.

    Raises `Refused` (NAMESPACE_UNKNOWN) with near names.
    """
    namespace = known_namespace(name)
    found = Proposal.objects.filter(namespace=namespace).select_related("submitter")
    newest = tuple(found.order_by("-changed", "-pk")[: news.MOST])
    return ProposalNews(namespace.created, news.log_began().isoformat(), proposals=newest)


def proposal_news(number: int) -> ProposalNews:
    """What was done to a proposal lately. Three queries. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    proposal = timeline.find_proposal(number)
    said = Turn.objects.filter(proposal=proposal).select_related("author").order_by("-sequence")
    newest = tuple(said[: news.MOST])
    for turn in newest:
        turn.proposal = proposal
    return ProposalNews(proposal.created, news.log_began().isoformat(), turns=newest)
