"""Limits what sessions store. Visitors need no account to have one, so their total is limited."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import Session
from registry.services.core.busy_tolerant_cache import delete_expired_counts, short_busy_timeout
from registry.services.core.database_errors import optional_write

VISITOR_LIFETIME = timedelta(hours=1)  # enough to sign up and to confirm an address
# Decision 055: anybody can fill sessions, so size, network and time limit them.
MAX_VISITORS_SIZE = 32 * 1024 * 1024  # bytes of all visitors' sessions: hundreds of large forms
MAX_NETWORK_SIZE = 2 * 1024 * 1024  # bytes of one network's, so that none can use all of it
ROW_SIZE = 512  # bytes of a row and its index entries, besides the data
MAX_SESSIONS = 20  # of one account, in its browsers
CLEARED_AT_ONCE = 200  # expired rows; more than a request adds


def visitor_expiry() -> datetime:
    """Return when a visitor's session that is stored now expires."""
    return timezone.now() + VISITOR_LIFETIME


def refuse_full(network: str, size: int) -> None:
    """Raise `Refused` (RATE_LIMITED) if visitors' sessions have no room for `size` more bytes.

    Requests at the same moment may together exceed the limit by one form each.
    """
    delete_expired()
    visitors = Session.objects.filter(account=None)
    if _total_size(visitors.filter(network=network)) + size > MAX_NETWORK_SIZE:
        raise Refused(Code.RATE_LIMITED, "Your network has sent too many forms without signing in.")
    if _total_size(visitors) + size > MAX_VISITORS_SIZE:
        raise Refused(Code.RATE_LIMITED, "Too many forms wait for their senders to sign in.")


def _total_size(sessions: QuerySet[Session]) -> int:
    total: int | None = sessions.aggregate(total=Sum("size"))["total"]
    return total or 0


def _unless_busy(delete: Callable[..., None]) -> Callable[..., None]:
    """Skip deleting if the database is busy or cannot write: the next session tries again."""

    @wraps(delete)
    def wrapper(*args: int) -> None:
        with optional_write(), short_busy_timeout(), transaction.atomic():
            delete(*args)

    return wrapper


@_unless_busy
def delete_expired() -> None:
    """Delete up to 200 expired sessions, and as many expired counts of the rate limiter."""
    delete_expired_sessions(CLEARED_AT_ONCE)
    delete_expired_counts(CLEARED_AT_ONCE)


def delete_expired_sessions(at_most: int) -> int:
    """Delete expired sessions, the oldest first; return their number."""
    expired = Session.objects.filter(expire_date__lt=timezone.now()).order_by("expire_date")
    keys = list(expired.values_list("pk", flat=True)[:at_most])
    return Session.objects.filter(pk__in=keys).delete()[0] if keys else 0


@_unless_busy
def end_surplus(account: int) -> None:
    """Delete an account's sessions beyond the newest 20."""
    newest_first = Session.objects.filter(account_id=account).order_by("-expire_date")
    keys = list(newest_first.values_list("pk", flat=True)[MAX_SESSIONS:])
    if keys:
        Session.objects.filter(pk__in=keys).delete()
