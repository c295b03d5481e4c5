"""Queues mail. It is part of the caller's transaction: both are stored, or neither."""

from __future__ import annotations

from email.utils import make_msgid, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils import timezone

from registry.models import OutgoingMail
from registry.services.outbox.sealing import Content, seal

HTML = "text/html"


def queue(kind: str, message: Any, *, account: int | None = None) -> None:
    """Queue a message of Django, which has recipients, a subject, a text and at most one HTML.

    `account` is that of a user whose address is looked up again when the mail is sent.
    """
    queue_content(
        kind,
        {
            "account": account,
            "to": message.to,
            "subject": message.subject,
            "text": message.body,
            "html": next((part.content for part in getattr(message, "alternatives", ())), None),
            "headers": message.extra_headers,
        },
    )


def queue_content(kind: str, content: Content) -> None:
    """Queue a content that is a mail, or that the worker makes mails of, by its kind."""
    OutgoingMail.objects.create(
        kind=kind, message_id=_message_id(), content=seal(content), due=timezone.now()
    )


def message_of(mail: OutgoingMail, content: Content) -> EmailMultiAlternatives:
    """Return the message of a queued mail, with the same Message-ID each time."""
    message = EmailMultiAlternatives(
        content["subject"],
        content["text"],
        to=content["to"],
        headers={**content["headers"], "Message-ID": mail.message_id},
    )
    if content["html"] is not None:
        message.attach_alternative(content["html"], HTML)
    return message


def _message_id() -> str:
    """Return a new Message-ID. The sender's domain needs no look-up of this machine's name."""
    _, _, domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")
    return make_msgid(domain=domain or "localhost")
