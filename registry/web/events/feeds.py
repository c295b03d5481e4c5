"""Atom feeds (RFC 4287): what happened lately, to all, to a namespace, to a tag."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid5

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference
from registry.services.events import news
from registry.services.events.news import News, NewsAction, NewsItem
from registry.services.tags import detail
from registry.web.core.decorators import public_document
from registry.web.core.xml import escape_for_xml

MEDIA_TYPE = "application/atom+xml; charset=utf-8"
OURS = UUID("5b1c7d0a-9a6e-4b59-8f53-0c2f5a8f7e11")  # any, the same for ever: ids are made from it
TITLE = "Target Tag Registry"


@public_document
def registry_feed(request: HttpRequest) -> HttpResponse:
    """What happened lately in the whole registry."""
    return _feed(request, news.registry_news(), TITLE, reverse("home"))


@public_document
def namespace_feed(request: HttpRequest, name: str) -> HttpResponse:
    """What happened lately in a namespace."""
    found = news.namespace_news(name)
    return _feed(request, found, f"{found.about} · {TITLE}", reverse("namespace", args=[name]))


@public_document
def tag_feed(request: HttpRequest, reference: Reference) -> HttpResponse:
    """What happened lately to a tag, whichever spelling it was asked for by."""
    if str(reference.selector):
        address = reverse("tag-feed", args=[reference.text])
        sentence = f"A feed is of a tag and all its versions: that of {reference.text} is {address}"
        raise Refused(Code.REFERENCE_INVALID, f"{sentence}.", suggestions=[reference.text])
    found = news.tag_news(reference)
    return _feed(request, found, f"{found.about} · {TITLE}", reverse("tag", args=[found.about]))


class Feed(Atom1Feed):
    """Django's, but that an empty one is as old as what it is about."""

    def latest_post_date(self) -> datetime:
        """When it last changed."""
        began: datetime = self.feed["began"]
        return super().latest_post_date() if self.items else began


def _feed(request: HttpRequest, found: News, title: str, page: str) -> HttpResponse:
    feed = new_feed(
        request,
        title=title,
        page=page,
        says="Versions published and withdrawn, tags superseded; the newest first.",
        guid=stable_id(found.registry, "feed", found.about),
        began=found.began,
    )
    for happening in found.happenings:
        feed.add_item(
            title=_title(happening),
            link=request.build_absolute_uri(reverse("tag", args=[happening.subject])),
            description=linebreaks(escape_for_xml(_says(happening)), autoescape=True),
            unique_id=stable_id(
                found.registry, happening.did, f"{happening.subject} {happening.turn}"
            ),
            author_name=escape_for_xml(happening.by),
            pubdate=happening.at,
            updateddate=happening.at,
            categories=_categories(happening),
        )
    return feed_response(feed)


def new_feed(
    request: HttpRequest, *, title: str, page: str, says: str, guid: str, began: datetime
) -> Feed:
    """A feed without entries yet; `page` is what it is about, `began` when that was made."""
    return Feed(
        title=title,
        link=request.build_absolute_uri(page),
        description="",
        subtitle=says,
        language="en",
        author_name=TITLE,
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=guid,
        began=began,
    )


def feed_response(feed: Feed) -> HttpResponse:
    """A feed as it is sent."""
    return HttpResponse(feed.writeString("utf-8"), content_type=MEDIA_TYPE)


def stable_id(registry: str, *of: str) -> str:
    """The same wherever and under whatever address the registry is served (RFC 4287, 4.2.6)."""
    return uuid5(OURS, " ".join((registry, *of))).urn


def _title(happening: NewsItem) -> str:
    name = f"{happening.tag} {happening.number}" if happening.number else happening.tag
    return f"{name} {happening.did}"


def _says(happening: NewsItem) -> str:
    if happening.successor:
        return f"{happening.says}\n\nUse {happening.successor} instead."
    return happening.says


def _categories(happening: NewsItem) -> list[str]:
    """What happened; of a publication also which part of the number moved."""
    if happening.did is NewsAction.PUBLISHED and happening.number:
        return [happening.did, detail.bump_of(happening.number).lower()]
    return [happening.did]
