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
from registry.web.core.xml import replace_invalid_characters

MEDIA_TYPE = "application/atom+xml; charset=utf-8"
ID_NAMESPACE = UUID("5b1c7d0a-9a6e-4b59-8f53-0c2f5a8f7e11")  # arbitrary, but must never change
TITLE = "Target Tag Registry"


@public_document
def registry_feed(request: HttpRequest) -> HttpResponse:
    return _news_feed(request, news.registry_news(), reverse("home"))


@public_document
def namespace_feed(request: HttpRequest, name: str) -> HttpResponse:
    return _news_feed(request, news.namespace_news(name), reverse("namespace", args=[name]))


@public_document
def tag_feed(request: HttpRequest, reference: Reference) -> HttpResponse:
    """Return the feed of a tag or alias. Raises `Refused` (REFERENCE_INVALID) for a version."""
    if str(reference.selector):
        url = reverse("tag-feed", args=[reference.text])
        message = f"Versions have no feeds. The feed of the tag is {url}."
        raise Refused(Code.REFERENCE_INVALID, message, suggestions=[reference.text])
    tag_news = news.tag_news(reference)
    return _news_feed(request, tag_news, reverse("tag", args=[tag_news.name]))


class Feed(Atom1Feed):
    """Django's Atom feed, but an empty one is dated by the creation of its subject."""

    def latest_post_date(self) -> datetime:
        """Return the date of the last change, in UTC."""
        created: datetime = self.feed["created"]
        return super().latest_post_date() if self.items else created


def _news_feed(request: HttpRequest, content: News, page: str) -> HttpResponse:
    feed = new_feed(
        request,
        title=f"{content.name} · {TITLE}" if content.name else TITLE,
        page=page,
        subtitle="Published and withdrawn versions, deprecated tags; newest first.",
        guid=stable_id(content.registry_id, "feed", content.name),
        created=content.created,
    )
    for item in content.items:
        feed.add_item(
            title=_title(item),
            link=request.build_absolute_uri(reverse("tag", args=[item.subject])),
            description=linebreaks(replace_invalid_characters(_description(item)), autoescape=True),
            unique_id=stable_id(
                content.registry_id, item.action, f"{item.subject} {item.sequence}"
            ),
            author_name=replace_invalid_characters(item.user.username),
            pubdate=item.time,
            updateddate=item.time,
            categories=_categories(item),
        )
    return feed_response(feed)


def new_feed(
    request: HttpRequest, *, title: str, page: str, subtitle: str, guid: str, created: datetime
) -> Feed:
    """Return an empty feed; `page` is its subject's URL, `created` its subject's creation time."""
    return Feed(
        title=title,
        link=request.build_absolute_uri(page),
        description="",
        subtitle=subtitle,
        language="en",
        author_name=TITLE,
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=guid,
        created=created,
    )


def feed_response(feed: Feed) -> HttpResponse:
    return HttpResponse(feed.writeString("utf-8"), content_type=MEDIA_TYPE)


def stable_id(registry_id: str, *parts: str) -> str:
    """Return an id that does not depend on the registry's URL (RFC 4287, 4.2.6)."""
    return uuid5(ID_NAMESPACE, " ".join((registry_id, *parts))).urn


def _title(item: NewsItem) -> str:
    name = f"{item.tag} {item.number}" if item.number else item.tag
    return f"{name} {item.action}"


def _description(item: NewsItem) -> str:
    if item.successor:
        return f"{item.message}\n\nUse {item.successor} instead."
    return item.message


def _categories(item: NewsItem) -> list[str]:
    """Return the action; for a publication also the bump."""
    if item.action is NewsAction.PUBLISHED and item.number:
        return [item.action, detail.bump_of(item.number).lower()]
    return [item.action]
