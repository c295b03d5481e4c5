"""The notices of an account: how many are unread, a page of them, and which it has read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from registry.models import Notice, User
from registry.services.core import permissions
from registry.services.core.paging import Page, paginate
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.notices.sentences import NoticeText, notice_texts

MAX_COUNT = 99  # that the header shows; counting stops there
KEPT = timedelta(days=90)


def count_unread(user: User) -> int:
    """Return how many notices an account has not read, up to one more than shown. One query."""
    return Notice.objects.of(user).unread().order_by()[: MAX_COUNT + 1].count()


def list_notices(
    user: User, *, before: int | None = None, limit: int | None = None
) -> Page[NoticeText]:
    """Return a page of what an account may see, newest first. At most two queries."""
    rows = with_events(Notice.objects.of(user))
    if before is not None:
        rows = rows.filter(event__lt=before)
    page = paginate(rows, key=lambda notice: [notice.event_id], limit=limit)
    return Page(tuple(notice_texts(page.rows)), page.next_key)


def with_events(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """Load notices with what their sentences need, newest first."""
    return notices.select_related("event__actor", "user").order_by("-event")


def mark_read(*, actor: Actor | None, up_to: int) -> int:
    """Mark the notices of events up to a number as read; return how many were not.

    The number is that of the newest notice on the page, so that what came since stays unread.
    """
    permission = permissions.require_own(actor, Action.KEEP_NEWS)
    with authorized_write(permission):
        unread = Notice.objects.filter(user=permission.user, event__lte=up_to).unread()
        return unread.update(read=timezone.now())


def mark_one(notice: int, *, actor: Actor | None) -> None:
    """Mark a notice as read; nothing happens to that of another account."""
    permission = permissions.require_own(actor, Action.KEEP_NEWS)
    with authorized_write(permission):
        unread = Notice.objects.filter(pk=notice, user=permission.user).unread()
        unread.update(read=timezone.now())


def forget_old(batch: int) -> int:
    """Delete notices of events that are older than 90 days; return how many. Two queries."""
    old = Notice.objects.filter(event__created__lt=timezone.now() - KEPT).order_by("pk")
    rows: Collection[int] = list(old.values_list("pk", flat=True)[:batch])
    Notice.objects.filter(pk__in=rows).delete()
    return len(rows)
