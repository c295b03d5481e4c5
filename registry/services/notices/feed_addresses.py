"""The private address of the feed of what an account watches, which can be renewed.

Its key is signed, not stored: a copy of the database opens no feed.
"""

from __future__ import annotations

from django.core.signing import BadSignature, Signer
from django.db.models import F

from registry.domain.notices import PUBLIC
from registry.models import NewsFeed, Notice, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.notices.inbox import with_events
from registry.services.notices.sentences import NoticeText, notice_texts

SALT = "registry.services.notices.feed_addresses"
MAX_ENTRIES = 50


def key_of(user: User) -> str:
    """Return the key of an account's feed; empty if it has none. One query."""
    feed = NewsFeed.objects.filter(user=user).first()
    return Signer(salt=SALT).sign(f"{feed.pk}.{feed.generation}") if feed else ""


def renew(*, actor: Actor | None) -> str:
    """Return a new key of the actor's feed; an older one opens it no longer."""
    permission = permissions.require_own(actor, Action.KEEP_NEWS)
    with authorized_write(permission):
        feed, is_new = NewsFeed.objects.get_or_create(user=permission.user)
        if not is_new:
            NewsFeed.objects.filter(pk=feed.pk).update(generation=F("generation") + 1)
    return key_of(permission.user)


def user_of(key: str) -> User | None:
    """Return the open account whose feed a key opens; None for any other key. One query."""
    try:
        account, _, generation = Signer(salt=SALT).unsign(key).partition(".")
    except BadSignature:
        return None
    feeds = NewsFeed.objects.select_related("user").filter(user__is_active=True)
    feed = feeds.filter(pk=int(account), generation=int(generation)).first()
    return feed.user if feed else None


def entries(user: User) -> list[NoticeText]:
    """Return the newest notices about what an account watches or its tags are made from.

    They tell of public events only. At most two queries.
    """
    rows = Notice.objects.of(user).filter(kind__in=[str(kind) for kind in PUBLIC])
    return notice_texts(list(with_events(rows)[:MAX_ENTRIES]))
