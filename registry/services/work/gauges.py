"""Renders the state of outbox and duties for Prometheus, as the database has it for all nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db import DatabaseError

from registry.models import Duty
from registry.services.core import database_errors
from registry.services.outbox import state
from registry.services.work.cache_purges import cache_purges, is_of_removed_cache, waiting

Series = Mapping[str, float]  # by the duty, or the empty string


def render_gauges() -> str:
    """Return the gauges in Prometheus' text format; none if the database is away.

    Two queries, and one for each cache.
    """
    try:
        return "".join([*_outbox(), *_duties()])
    except DatabaseError as error:
        if database_errors.report(error) is None:
            raise
        return ""


def _outbox() -> Iterator[str]:
    outbox = state.outbox_state()
    yield _gauge("outbox_mails", "Mails that wait.", {"": outbox.waiting})
    yield _gauge("outbox_retried_mails", "Those that failed before.", {"": outbox.retried})
    yield _gauge("outbox_given_up_mails", "Mails given up in 30 days.", {"": outbox.given_up})
    age = outbox.age.total_seconds()
    yield _gauge("outbox_age_seconds", "Age of the oldest mail that waits.", {"": age})


def _duties() -> Iterator[str]:
    duties = [duty for duty in Duty.objects.order_by("name") if not is_of_removed_cache(duty.name)]
    succeeded = _times({duty.name: duty.succeeded for duty in duties})
    yield _gauge("duty_succeeded_timestamp_seconds", "When the duty last succeeded.", succeeded)
    failed = _times({duty.name: duty.failed for duty in duties})
    yield _gauge("duty_failed_timestamp_seconds", "When the duty last failed.", failed)
    failures = {duty.name: duty.failures for duty in duties}
    yield _gauge("duty_failures", "Failures since the duty last succeeded.", failures)
    if names := [purge.name for purge in cache_purges()]:
        known = {duty.name: duty for duty in duties}
        waits = {name: waiting(known.get(name)) for name in names}
        yield _gauge("purge_waiting", "Changes that the cache has not been told.", waits)


def _times(moments: Mapping[str, datetime | None]) -> Series:
    """Return moments in seconds, without those that never were."""
    return {name: moment.timestamp() for name, moment in moments.items() if moment is not None}


def _gauge(name: str, meaning: str, series: Series) -> str:
    """Return the lines of a gauge, which has no line without a value."""
    lines = [f"# HELP registry_{name} {meaning}", f"# TYPE registry_{name} gauge"]
    for duty, value in series.items():
        labels = f'{{duty="{duty}"}}' if duty else ""
        lines.append(f"registry_{name}{labels} {float(value)!r}")
    return "\n".join(lines) + "\n"
