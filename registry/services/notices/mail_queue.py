"""Queues notices to be mailed, at the times that their accounts have chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.utils import timezone

from registry.domain.notices import ALARMS, DEFAULT_TIMES, MailTime, NoticeKind
from registry.models import MailChoice, Notice, NoticeMail, User

DAILY_AT = time(6)  # UTC, when most of those who build in Europe are not yet at work

# When each account is mailed news of each kind. Accounts without an address are missing.
Choices = Mapping[int, Mapping[NoticeKind, MailTime]]


def sends_news() -> bool:
    """Return whether news are mailed: links in them need the address of the registry."""
    return bool(settings.SENDS_MAIL and settings.ADDRESS)


def address_of(user: User) -> str:
    """Return the address that an account has confirmed, its primary one first; or nothing."""
    rows = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return next(iter(rows.values_list("email", flat=True)), "")


def choices_of(users: Collection[int]) -> Choices:
    """Return when accounts with a confirmed address are mailed. Two queries, or none."""
    if not users or not sends_news():
        return {}
    rows = EmailAddress.objects.filter(user__in=users, verified=True)
    choices = {user: dict(DEFAULT_TIMES) for user in rows.values_list("user", flat=True)}
    for choice in MailChoice.objects.filter(user__in=choices):
        choices[choice.user_id][NoticeKind(choice.kind)] = MailTime(choice.time)
    return choices


def queue(notices: Sequence[Notice], choices: Choices) -> None:
    """Queue stored notices. Part of the caller's transaction."""
    now = timezone.now()
    due = {MailTime.AT_ONCE: now, MailTime.DAILY: next_daily(now)}
    NoticeMail.objects.bulk_create(
        NoticeMail(notice=notice, due=due[chosen])
        for notice in notices
        if notice.user_id in choices and (chosen := _time_of(notice, choices)) in due
    )


def _time_of(notice: Notice, choices: Choices) -> MailTime:
    """Return when a notice is mailed to an account with an address."""
    if notice.event.action in ALARMS:
        return MailTime.AT_ONCE
    return choices[notice.user_id][NoticeKind(notice.kind)]


def next_daily(now: datetime) -> datetime:
    """Return when daily mail is sent next, in UTC."""
    today = datetime.combine(now.astimezone(UTC).date(), DAILY_AT, UTC)
    return today if today > now else today + timedelta(days=1)
