"""Elects the process that does a duty, among all processes and nodes of one database."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Collection
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import Duty

# A worker that was killed is replaced after this. It outlasts a renewal and one mail whose server
# takes EMAIL_TIMEOUT for each of four steps: shorter leases would let two workers send it. A worker
# that is stopped, or fails, releases its leases at once.
LENGTH = timedelta(seconds=60)
RENEWAL = 15  # seconds between two renewals
MAX_REASON = 255  # characters


def new_holder() -> str:
    """Return a name for this process that no other one has, nor an earlier one with its number."""
    return f"{socket.gethostname()[:60]} {os.getpid()} {secrets.token_hex(8)}"


class Lease:
    """The right of one process to do a duty now. The clock is that of the database."""

    def __init__(self, name: str, holder: str) -> None:
        self.name = name
        self._holder = holder
        self._renewed = 0.0

    def take(self) -> bool:
        """Take the lease if it is free or ours already; return whether it is ours."""
        Duty.objects.get_or_create(name=self.name)
        free = Q(held_until=None) | Q(held_until__lt=Now()) | Q(holder=self._holder)
        # A clock that has gone back would keep others away for as long.
        free |= Q(held_until__gt=Now() + 2 * LENGTH)
        rows = Duty.objects.filter(free, name=self.name)
        is_ours = bool(rows.update(holder=self._holder, held_until=Now() + LENGTH))
        self._renewed = time.monotonic() if is_ours else 0.0
        return is_ours

    def renew(self) -> bool:
        """Keep the lease; return whether it still is ours. Writes every 15 seconds."""
        if time.monotonic() - self._renewed < RENEWAL:
            return True
        return self.take()

    def release(self) -> None:
        """Let others do the duty."""
        held = Duty.objects.filter(name=self.name, holder=self._holder)
        held.update(holder="", held_until=None)


def forget(names: Collection[str]) -> int:
    """Delete what is known of duties that no worker has any more; return how many there were.

    Raises `Refused` (CONFLICT) if a worker does one of them now.
    """
    duties = Duty.objects.filter(name__in=names)
    if held := duties.filter(held_until__gt=Now()).first():
        raise Refused(Code.CONFLICT, f"{held.name} runs now, by the worker {held.holder}.")
    count, _ = duties.filter(Q(held_until=None) | Q(held_until__lte=Now())).delete()
    return count


def record_success(name: str) -> None:
    Duty.objects.filter(name=name).update(succeeded=timezone.now(), failures=0)


def record_failure(name: str, reason: str) -> int:
    """Record why a run of a duty failed; return how many failed one after the other."""
    duty = Duty.objects.get(name=name)
    duty.failed, duty.failures, duty.reason = timezone.now(), duty.failures + 1, reason[:MAX_REASON]
    duty.save(update_fields=["failed", "failures", "reason"])
    return duty.failures
