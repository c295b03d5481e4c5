"""Sends queued mail, one after another, and puts off or gives up what cannot be sent.

A mail is deleted after the mail server has accepted it, or if nobody is to get it any more. If the
worker ends in between, it is sent again, with the same Message-ID.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException
from traceback import format_tb
from types import MappingProxyType
from typing import Any

from django.core.mail import get_connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from registry.domain.errors import Refused
from registry.models import OutgoingMail
from registry.services.core import database_errors
from registry.services.core.transactions import write_lock
from registry.services.outbox.queueing import message_of
from registry.services.outbox.sealing import Content, Unreadable, unseal

FIRST_PAUSE = timedelta(seconds=5)  # between two attempts; each is three times the last
MAX_PAUSE = timedelta(hours=1)
MAX_AGE = timedelta(days=3)  # the links of account mail expire then
KEPT = timedelta(days=30)  # of mail that was given up, for `manage.py outbox`
PERMANENT = 500  # the first of SMTP's codes that say so (RFC 5321, 4.2.1)

# Makes mails of what a request has queued, and queues them.
Preparation = Callable[[Content], None]
# Returns the address to which a mail that has waited goes now, or nothing if to none.
Readdressing = Callable[[Content], str]

log = logging.getLogger("registry.mail")


class MailServerAway(Exception):
    """No connection to the mail server can be opened; the text has the reason."""


def due_mails() -> QuerySet[OutgoingMail]:
    """Return the mails whose next attempt is due, the longest waiting first.

    One that is due later than any pause has the time of a clock that has gone back since.
    """
    now = timezone.now()
    is_due = Q(due__lte=now) | Q(due__gt=now + 2 * MAX_PAUSE)
    return OutgoingMail.objects.filter(is_due, failed=None)


def deliver_due(
    preparations: Mapping[str, Preparation],
    may_go_on: Callable[[], bool],
    readdressing: Mapping[str, Readdressing] = MappingProxyType({}),
) -> None:
    """Send what is due for as long as `may_go_on` returns True. Raises `MailServerAway`.

    Mail of a kind without `readdressing` goes to the address for which it was queued.
    """
    give_up_old()
    server = _MailServer()
    try:
        while may_go_on() and (mail := due_mails().first()):
            _deliver(mail, preparations, readdressing, server)
    finally:
        server.close()


def give_up_old() -> None:
    """Give up mails that have waited until their links are worth nothing."""
    for mail in OutgoingMail.objects.filter(failed=None, created__lt=timezone.now() - MAX_AGE):
        _give_up(mail, mail.reason or "no attempt was made in time")


def forget_failed() -> int:
    """Delete what is left of mails that were given up long ago; return their number."""
    count, _ = OutgoingMail.objects.filter(failed__lt=timezone.now() - KEPT).delete()
    return count


class _MailServer:
    """The mail server of the settings, connected for as long as it takes mail."""

    def __init__(self) -> None:
        self._connection: Any = get_connection(fail_silently=False)
        self._is_open = False

    def send(self, mail: OutgoingMail, content: Content) -> None:
        """Send a mail. Raises `MailServerAway`, or an `OSError` that concerns this mail."""
        if not self._is_open:
            self._open()
        message = message_of(mail, content)
        message.connection = self._connection
        message.send()

    def _open(self) -> None:
        try:
            self._connection.open()
        except OSError as error:  # SMTP's errors are, too
            self.close()
            raise MailServerAway(_reason(error)) from error
        self._is_open = True

    def close(self) -> None:
        """Close the connection; the next mail opens another one."""
        self._is_open = False
        with suppress(OSError):
            self._connection.close()


def _deliver(
    mail: OutgoingMail,
    preparations: Mapping[str, Preparation],
    readdressing: Mapping[str, Readdressing],
    server: _MailServer,
) -> None:
    try:
        content = unseal(mail.content)
        if prepare := preparations.get(mail.kind):
            with write_lock():
                prepare(content)
                mail.delete()
            return
        if recipients := _recipients(content, readdressing.get(mail.kind)):
            server.send(mail, {**content, "to": recipients})
    except (MailServerAway, Refused):
        raise  # concerns all mails
    except Unreadable:
        _give_up(mail, "it was encrypted with another SECRET_KEY")
    except OSError as error:
        server.close()
        if _is_permanent(error):
            _give_up(mail, _reason(error))
        else:
            _put_off(mail, _reason(error))
    except Exception as error:
        if database_errors.refusal(error):
            raise  # the database is away or cannot write
        where = "".join(format_tb(error.__traceback__))  # its message may have an address
        log.error("A mail (%s) cannot be made: %s\n%s", mail.kind, type(error).__name__, where)
        _put_off(mail, type(error).__name__)
    else:
        mail.delete()


def _recipients(content: Content, readdress: Readdressing | None) -> list[str]:
    if readdress is None:
        return list(content["to"])
    address = readdress(content)
    return [address] if address else []


def _is_permanent(error: OSError) -> bool:
    """Return whether the mail server would refuse this mail again."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in error.recipients.values())
    return isinstance(error, SMTPDataError) and error.smtp_code >= PERMANENT


def _reason(error: OSError) -> str:
    """Return the kind of an error and SMTP's codes. The texts of mail servers have addresses."""
    codes: list[int] = []
    if isinstance(error, SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
    elif isinstance(error, SMTPResponseException):
        codes = [error.smtp_code]
    return " ".join([type(error).__name__, *map(str, codes)])


def _put_off(mail: OutgoingMail, reason: str) -> None:
    pause = min(FIRST_PAUSE * 3 ** min(mail.attempts, 10), MAX_PAUSE)
    mail.attempts += 1
    mail.reason = reason
    mail.due = timezone.now() + pause
    mail.save(update_fields=["attempts", "reason", "due"])
    log.warning("A mail (%s) was not sent, next attempt in %s: %s", mail.kind, pause, reason)


def _give_up(mail: OutgoingMail, reason: str) -> None:
    """Keep that a mail failed, and why, without what it holds."""
    mail.content = ""
    mail.reason = reason
    mail.failed = timezone.now()
    mail.attempts += 1
    mail.save(update_fields=["content", "reason", "failed", "attempts"])
    log.error("A mail (%s) is given up: %s", mail.kind, reason)
