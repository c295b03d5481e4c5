"""Counts the mail that waits, and lists what failed: for metrics and `manage.py outbox`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from registry.models import OutgoingMail

MAX_ROWS = 1000  # of a list


@dataclass(frozen=True, slots=True)
class OutboxState:
    """The mails that wait, those among them that failed before, and those that were given up."""

    waiting: int
    retried: int
    given_up: int  # within 30 days
    age: timedelta  # of the mail that has waited longest


def outbox_state() -> OutboxState:
    """Return the state of the outbox. One query."""
    waits, now = Q(failed=None), timezone.now()
    counts = OutgoingMail.objects.aggregate(
        waiting=Count("pk", filter=waits),
        retried=Count("pk", filter=waits & Q(attempts__gt=0)),
        given_up=Count("pk", filter=~waits),
        oldest=Min("created", filter=waits),
    )
    oldest = counts.pop("oldest")
    return OutboxState(**counts, age=max(now - (oldest or now), timedelta()))


def list_failures() -> QuerySet[OutgoingMail]:
    """Return mails that failed, oldest first: those that are retried, and those given up."""
    return OutgoingMail.objects.filter(attempts__gt=0).order_by("created")[:MAX_ROWS]
