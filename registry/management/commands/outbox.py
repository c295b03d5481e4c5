"""Show how much mail waits, and which mail failed."""

from __future__ import annotations

from typing import Any

from registry.management.base import RegistryCommand
from registry.services.outbox import state


class Command(RegistryCommand):
    """`manage.py outbox`. It shows neither recipients nor texts: both are secret."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print a line for each mail that failed, and the totals."""
        failures = state.list_failures()
        for mail in failures:
            fate = f"given up {mail.failed:%F %R}" if mail.failed else f"next {mail.due:%F %R}"
            self.stdout.write(
                f"{mail.message_id} {mail.kind}: of {mail.created:%F %R} UTC, {mail.attempts} "
                f"failed attempts, {fate}: {mail.reason}"
            )
        outbox = state.outbox_state()
        if (more := outbox.retried + outbox.given_up - len(failures)) > 0:
            self.stdout.write(f"and {more} more that failed, the newest")
        self.stdout.write(
            f"{outbox.waiting} waiting, the oldest for {outbox.age.total_seconds():.0f} s; "
            f"{outbox.retried} of them failed before; {outbox.given_up} given up."
        )
