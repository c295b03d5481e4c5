"""The tasks that make mails of news, and send mail."""

from __future__ import annotations

from datetime import timedelta

from registry.models import Duty
from registry.services.accounts import password_resets
from registry.services.notices import mailing
from registry.services.outbox import delivery
from registry.services.work.tasks import GoOn, TaskFailed, may_retry

PREPARATIONS = {password_resets.KIND: password_resets.queue_links}
READDRESSING = {mailing.KIND: mailing.readdress}

FIRST_PAUSE = timedelta(seconds=5)  # after the mail server could not be reached
MAX_PAUSE = timedelta(minutes=1)  # a mail is to arrive soon after the mail server is back


class MailDelivery:
    """Sends the mails that are due."""

    name = "mail"
    interval = 1.0  # people wait for links; a look is one query on an index

    def is_due(self) -> bool:
        """Return whether a mail is due, and the mail server was not away a moment ago."""
        if not delivery.due_mails().exists():
            return False
        duty = Duty.objects.filter(name=self.name).first()
        return may_retry(duty, FIRST_PAUSE, MAX_PAUSE)

    def run(self, may_go_on: GoOn) -> None:
        """Send what is due. Raises `TaskFailed` if the mail server is away."""
        try:
            delivery.deliver_due(PREPARATIONS, may_go_on, READDRESSING)
        except delivery.MailServerAway as error:
            raise TaskFailed(f"The mail server cannot be reached: {error}") from error


class NewsMail:
    """Queues a mail for each account to which notices are due."""

    name = "news-mail"
    interval = 1.0  # a look is one query on an index

    def is_due(self) -> bool:
        """Return whether a notice is due to be mailed."""
        return mailing.due_notices().exists()

    def run(self, may_go_on: GoOn) -> None:
        """Queue mail until none is due."""
        while may_go_on() and (user := mailing.next_account()):
            mailing.queue_mail(user)
