"""Queues a mail with the notices of an account that are due, if it still may and wants to see them.

Notices that were read on the site meanwhile are not mailed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from registry.domain.notices import ALARMS, MailTime, NoticeKind
from registry.models import Notice, NoticeMail, User
from registry.services.notices import mail_queue, unsubscribing
from registry.services.notices.inbox import with_events
from registry.services.notices.sentences import NoticeText, notice_texts
from registry.services.outbox import queueing
from registry.services.outbox.sealing import Content
from ttag_rules.echo import shorten

KIND = "news"  # of the mails in the outbox
MAX_LINES = 50  # notices in a mail; the page has the others
MAX_SUBJECT = 150  # characters
MAX_AGE = timedelta(days=3)  # after that, they are no news; as for other mail


def due_notices() -> QuerySet[NoticeMail]:
    """Return the notices that are due to be mailed. None while news are not mailed."""
    rows = NoticeMail.objects.filter(due__lte=timezone.now())
    return rows if mail_queue.sends_news() else rows.none()


def next_account() -> User | None:
    """Return an account that is due a mail; None if there is none. One query."""
    first = due_notices().select_related("notice__user").order_by("due").first()
    return first.notice.user if first else None


# Decision 170: mail and notices are one transaction, so that a killed worker repeats neither.
def queue_mail(user: User) -> None:
    """Queue a mail with what is due to an account, if anything is left to tell."""
    with transaction.atomic():
        rows = due_notices().filter(notice__user=user).select_for_update()
        waiting = {row.pk: row.due for row in rows}
        NoticeMail.objects.filter(pk__in=waiting).delete()
        oldest = timezone.now() - MAX_AGE
        recent = [pk for pk, due in waiting.items() if due >= oldest]
        address = mail_queue.address_of(user) if user.is_active else ""
        texts = _texts(user, recent) if address else []
        if texts:
            kinds = {text.notice.kind for text in texts}
            account = None if NoticeKind.SECURITY in kinds else user.pk
            queueing.queue(KIND, _message(user, address, texts), account=account)


# Decision 170: who has taken over an account, and its address, does not get what warns of that.
def readdress(content: Content) -> str:
    """Return the address to which queued news go now: the one of the account today, if any.

    News of its security go to the address that it had when they were queued.
    """
    account = content.get("account")  # no mail of release 0.1 has it
    if account is None:
        return str(content["to"][0])
    user = User.objects.filter(pk=account, is_active=True).first()
    return mail_queue.address_of(user) if user else ""


def _texts(user: User, pks: Sequence[int]) -> list[NoticeText]:
    """Return the unread notices among some that the account may see, and wants to be mailed."""
    choices = mail_queue.choices_of({user.pk}).get(user.pk, {})
    wanted = [str(kind) for kind in choices if choices[kind] is not MailTime.NEVER]
    is_wanted = Q(kind__in=wanted) | Q(event__action__in=ALARMS)
    rows = Notice.objects.of(user).unread().filter(is_wanted, pk__in=pks)
    return notice_texts(list(with_events(rows).order_by("event")))


def _message(user: User, address: str, texts: Sequence[NoticeText]) -> EmailMultiAlternatives:
    kinds = sorted({NoticeKind(text.notice.kind) for text in texts})
    link = unsubscribing.link(user, kinds)
    context = {
        "user": user,
        "texts": texts[:MAX_LINES],
        "more": max(len(texts) - MAX_LINES, 0),
        "site": settings.ADDRESS,
        "settings_link": settings.ADDRESS + reverse("news-settings"),
        "news_link": settings.ADDRESS + reverse("news"),
        "unsubscribe_link": link,
    }
    message = EmailMultiAlternatives(
        _subject(texts),
        render_to_string("registry/mail/news.txt", context),
        to=[address],
        headers={
            "List-Unsubscribe": f"<{link}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",  # RFC 8058
            "Auto-Submitted": "auto-generated",  # RFC 3834: no reply from holidays
        },
    )
    message.attach_alternative(render_to_string("registry/mail/news.html", context), queueing.HTML)
    return message


def _subject(texts: Sequence[NoticeText]) -> str:
    first = shorten(" ".join(texts[0].sentence.split()), MAX_SUBJECT)
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    return f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{first}{more}"
