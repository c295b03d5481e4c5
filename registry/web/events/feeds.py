"""Atom feeds (RFC 4287) of recent events: of all tags, of a namespace, of a tag."""

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
ID_NAMESPACE = UUID("5b1c7d0a-9a6e-4b59-8f53-0c2f5a8f7e11")  # arbitrary, but must never change
TITLE = "Target Tag Registry"


@public_document
def registry_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed of the whole registry."""
    return _feed(request, news.registry_news(), TITLE, reverse("home"))


@public_document
def namespace_feed(request: HttpRequest, name: str) -> HttpResponse:
    """Return the feed of a namespace."""
    found = news.namespace_news(name)
    return _feed(request, found, f"{found.about} · {TITLE}", reverse("namespace", args=[name]))


@public_document
def tag_feed(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Return the feed of a tag or alias. Raises `Refused` (REFERENCE_INVALID) for a version."""
    if str(reference.selector):
        address = reverse("tag-feed", args=[reference.text])
        sentence = f"A feed is of a tag and all its versions: that of {reference.text} is {address}"
        raise Refused(Code.REFERENCE_INVALID, f"{sentence}.", suggestions=[reference.text])
    found = news.tag_news(reference)
    return _feed(request, found, f"{found.about} · {TITLE}", reverse("tag", args=[found.about]))


class Feed(Atom1Feed):
    """Django's Atom feed, but an empty one is dated by the creation of its subject."""

    def latest_post_date(self) -> datetime:
        """Return the date of the last change, in UTC."""
        began: datetime = self.feed["began"]
        return super().latest_post_date() if self.items else began


def _feed(request: HttpRequest, found: News, title: str, page: str) -> HttpResponse:
    feed = new_feed(
        request,
        title=title,
        page=page,
        says="Versions published and withdrawn, tags deprecated; newest first.",
        guid=stable_id(found.registry, "feed", found.about),
        began=found.began,
    )
    for happening in found.happenings:
        feed.add_item(
            title=_title(happening),
            link=request.build_absolute_uri(reverse("tag", args=[happening.subject])),
            description=linebreaks(escape_for_xml(_description(happening)), autoescape=True),
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
    """Return an empty feed; `page` is its subject's URL, `began` when that was created."""
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
    """Return a feed as an HTTP response."""
    return HttpResponse(feed.writeString("utf-8"), content_type=MEDIA_TYPE)


def stable_id(registry: str, *of: str) -> str:
    """Return an id that does not depend on the registry's URL (RFC 4287, 4.2.6)."""
    return uuid5(ID_NAMESPACE, " ".join((registry, *of))).urn


def _title(happening: NewsItem) -> str:
    name = f"{happening.tag} {happening.number}" if happening.number else happening.tag
    return f"{name} {happening.did}"


def _description(happening: NewsItem) -> str:
    if happening.successor:
        return f"{happening.says}\n\nUse {happening.successor} instead."
    return happening.says


def _categories(happening: NewsItem) -> list[str]:
    """Return the event's type; for a publication also the bump."""
    if happening.did is NewsAction.PUBLISHED and happening.number:
        return [happening.did, detail.bump_of(happening.number).lower()]
    return [happening.did]
