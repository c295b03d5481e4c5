"""The private Atom feed of what an account watches and what its tags are made from."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import linebreaks

from registry.http.caching import CachePolicy, set_policy
from registry.services.events import news
from registry.services.notices import feed_addresses
from registry.web.core.decorators import public_document
from registry.web.core.xml import replace_invalid_characters
from registry.web.events.feeds import TITLE, feed_response, new_feed, stable_id


@public_document
def news_feed(request: HttpRequest) -> HttpResponse:
    """Return the feed of a key. Raises `Http404` for one that was never valid, or is no longer."""
    user = feed_addresses.user_of(request.GET.get("key", ""))
    if user is None:
        raise Http404
    registry_id = news.log_start().isoformat()
    feed = new_feed(
        request,
        title=f"What {user.username} watches · {TITLE}",
        page=reverse("news"),
        subtitle="Versions and tags that you watch, or that your tags are made from; newest first.",
        guid=stable_id(registry_id, "news", str(user.pk)),
        created=user.date_joined,
    )
    for text in feed_addresses.entries(user):
        event = text.notice.event
        feed.add_item(
            title=replace_invalid_characters(text.sentence),
            link=request.build_absolute_uri(text.path),
            description=linebreaks(replace_invalid_characters(text.reason), autoescape=True),
            unique_id=stable_id(registry_id, "notice", f"{user.pk} {event.number}"),
            author_name=replace_invalid_characters(event.actor.username),
            pubdate=event.created,
            updateddate=event.created,
            categories=[text.notice.kind],
        )
    response = set_policy(feed_response(feed), CachePolicy.PERSONAL)
    response["X-Robots-Tag"] = "noindex"
    return response
