"""Proposals as Atom feeds: what moved in a namespace's queue, what was done to one proposal."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import linebreaks

from registry.domain.reviewing import Act
from registry.models import Proposal, Turn
from registry.services.reading import proposal_news
from registry.web.feeds import TITLE, answer, opened, stable_id
from registry.web.markup import fit
from registry.web.page import document
from registry.web.proposals.said import DID


@document
def of_namespace(request: HttpRequest, name: str) -> HttpResponse:
    """A namespace's queue: each proposal an entry, as new as its last turn."""
    found = proposal_news.of_namespace(name)
    feed = opened(
        request,
        title=f"Proposals for {name} · {TITLE}",
        page=f"{reverse('proposals')}?namespace={name}",
        says="Proposals, whatever their state; the one that moved last comes first.",
        guid=stable_id(found.registry, "proposals", name),
        began=found.began,
    )
    for proposal in found.proposals:
        state = proposal.state.replace("-", " ")
        feed.add_item(
            title=f"Proposal {proposal.pk} for {proposal.tag}: {state}",
            link=_link(request, proposal),
            description=fit(f"{proposal.tag}, by {proposal.submitter}: {state}."),
            unique_id=stable_id(found.registry, "proposal", str(proposal.pk)),
            author_name=fit(proposal.submitter.username),
            pubdate=proposal.created,
            updateddate=proposal.changed,
            categories=[proposal.state],
        )
    return answer(feed)


@document
def of_proposal(request: HttpRequest, number: int) -> HttpResponse:
    """One proposal: each turn an entry."""
    found = proposal_news.of_proposal(number)
    feed = opened(
        request,
        title=f"Proposal {number} for {found.turns[0].proposal.tag} · {TITLE}",
        page=reverse("proposal", args=[number]),
        says="What was said and done; the newest first.",
        guid=stable_id(found.registry, "turns", str(number)),
        began=found.began,
    )
    for turn in found.turns:
        feed.add_item(
            title=_title(turn),
            link=f"{_link(request, turn.proposal)}#turn-{turn.sequence}",
            description=linebreaks(fit(turn.text), autoescape=True),
            unique_id=stable_id(found.registry, "turn", f"{number} {turn.sequence}"),
            author_name=fit(turn.author.username),
            pubdate=turn.created,
            updateddate=turn.created,
            categories=[turn.act],
        )
    return answer(feed)


def _title(turn: Turn) -> str:
    return f"{fit(turn.author.username)} {DID[Act(turn.act)]}: revision {turn.revision}"


def _link(request: HttpRequest, proposal: Proposal) -> str:
    return request.build_absolute_uri(reverse("proposal", args=[proposal.pk]))
