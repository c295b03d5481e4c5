"""Recent changes of proposals, for feeds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from registry.models import Proposal, Turn
from registry.services.events import news
from registry.services.namespaces.lookup import require_namespace
from registry.services.proposals import timeline


@dataclass(frozen=True, slots=True)
class ProposalNews:
    """The proposals of a namespace, or the turns of one proposal, newest first."""

    created: datetime  # when the namespace or proposal was created
    registry_id: str  # as in `news`
    proposals: tuple[Proposal, ...] = ()
    turns: tuple[Turn, ...] = ()


def namespace_proposal_news(name: str) -> ProposalNews:
    """Return the most recently changed proposals of a namespace. Three queries.

    Raises `Refused` (NAMESPACE_UNKNOWN) with similar names.
    """
    namespace = require_namespace(name)
    proposals = Proposal.objects.filter(namespace=namespace).select_related("submitter")
    newest = tuple(proposals.last_changed_first()[: news.MAX_NEWS])
    return ProposalNews(namespace.created, news.log_start().isoformat(), proposals=newest)


def proposal_news(number: int) -> ProposalNews:
    """Return the newest turns of a proposal. Three queries. Raises `Refused` (PROPOSAL_UNKNOWN)."""
    proposal = timeline.find_proposal(number)
    turns = Turn.objects.filter(proposal=proposal).select_related("author").order_by("-sequence")
    newest = tuple(turns[: news.MAX_NEWS])
    for turn in newest:
        turn.proposal = proposal
    return ProposalNews(proposal.created, news.log_start().isoformat(), turns=newest)
