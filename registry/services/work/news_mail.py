"""The task that makes mails of news, which the outbox then sends."""

from __future__ import annotations

from registry.services.notices import mailing
from registry.services.work.tasks import GoOn


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
