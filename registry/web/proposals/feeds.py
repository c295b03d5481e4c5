"""Atom feeds of a namespace's proposals and of one proposal's history."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import linebreaks

from registry.models import Proposal, Turn
from registry.services.events import proposal_news
from registry.web.core.decorators import public_document
from registry.web.core.xml import replace_invalid_characters
from registry.web.events.feeds import TITLE, feed_response, new_feed, stable_id
from registry.web.proposals.queue_filters import state_label


@public_document
def namespace_proposals_feed(request: HttpRequest, name: str) -> HttpResponse:
    """Return a feed with one entry for each proposal of a namespace."""
    news = proposal_news.namespace_proposal_news(name)
    feed = new_feed(
        request,
        title=f"Proposals for {name} · {TITLE}",
        page=f"{reverse('proposals')}?namespace={name}",
        subtitle="Proposals in any state, most recently changed first.",
        guid=stable_id(news.registry_id, "proposals", name),
        created=news.created,
    )
    for proposal in news.proposals:
        state = state_label(proposal.state)
        feed.add_item(
            title=f"Proposal {proposal.pk} for {proposal.tag}: {state}",
            link=_link(request, proposal),
            description=replace_invalid_characters(
                f"{proposal.tag}, by {proposal.submitter}: {state}."
            ),
            unique_id=stable_id(news.registry_id, "proposal", str(proposal.pk)),
            author_name=replace_invalid_characters(proposal.submitter.username),
            pubdate=proposal.created,
            updateddate=proposal.changed,
            categories=[proposal.state],
        )
    return feed_response(feed)


@public_document
def proposal_feed(request: HttpRequest, number: int) -> HttpResponse:
    """Return a feed with one entry for each turn of a proposal."""
    news = proposal_news.proposal_news(number)
    feed = new_feed(
        request,
        title=f"Proposal {number} for {news.turns[0].proposal.tag} · {TITLE}",
        page=reverse("proposal", args=[number]),
        subtitle="Comments, revisions and decisions, newest first.",
        guid=stable_id(news.registry_id, "turns", str(number)),
        created=news.created,
    )
    for turn in news.turns:
        feed.add_item(
            title=_title(turn),
            link=f"{_link(request, turn.proposal)}#turn-{turn.sequence}",
            description=linebreaks(replace_invalid_characters(turn.text), autoescape=True),
            unique_id=stable_id(news.registry_id, "turn", f"{number} {turn.sequence}"),
            author_name=replace_invalid_characters(turn.author.username),
            pubdate=turn.created,
            updateddate=turn.created,
            categories=[turn.action],
        )
    return feed_response(feed)


def _title(turn: Turn) -> str:
    author = replace_invalid_characters(turn.author.username)
    return f"{author} {turn.past_tense}: revision {turn.revision}"


def _link(request: HttpRequest, proposal: Proposal) -> str:
    return request.build_absolute_uri(reverse("proposal", args=[proposal.pk]))
