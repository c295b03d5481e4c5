"""Writes how often tags were resolved: per day, and summed up over the last 30 days.

The writes are no events. On SQLite they hold the write lock for up to 30 ms; on PostgreSQL they
take a lock of their own, so that publishing never waits for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, date, datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.db.models import Sum

from registry.models import DailyUsage, RecentUsage, Tag
from registry.services.core import database_errors
from registry.services.core.busy_tolerant_cache import short_busy_timeout

RECENT_DAYS = 30  # with today; lists and pages show their sum
KEPT_DAYS = 400  # a year and a month; earlier days are deleted
BATCH = 500  # rows per step of the upkeep

Counts = dict[tuple[str, date], int]  # requests by tag and day

LOCK_ID = 0x7461726765740003  # of PostgreSQL's advisory lock, other than that of publishing
LOCK_TIMEOUT = "1s"  # on PostgreSQL; on SQLite, that of `short_busy_timeout`


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


def add_counts(counts: Counts) -> bool:
    """Add counts to those of their days; drop those of unknown tags. Four queries.

    Returns whether they are stored: not if the database is busy or cannot write. If the connection
    breaks during the commit, they may be stored nevertheless.
    """
    return _write(partial(_add_counts, counts))


def do_upkeep(day: date) -> bool:
    """Do a step of what each day needs: new sums, and the deletion of the oldest days.

    Returns whether nothing is left to do. Two queries if there is nothing, at most seven otherwise.
    """
    done = False
    with database_errors.optional_write():
        outdated = RecentUsage.objects.filter(day__lt=day).order_by("day")
        tags = list(outdated.values_list("pk", flat=True)[:BATCH])
        oldest = DailyUsage.objects.filter(day__lt=day - timedelta(days=KEPT_DAYS)).order_by("day")
        rows = list(oldest.values_list("pk", flat=True)[:BATCH])
        is_last = max(len(tags), len(rows)) < BATCH
        done = (not (tags or rows) or _write(partial(_do_upkeep, day, tags, rows))) and is_last
    return done  # noqa: RET504 - False, if the block is skipped


def _write(change: Callable[[], None]) -> bool:
    """Make a change in a transaction; return False if the database is busy or cannot write."""
    is_written = False
    with database_errors.optional_write(), short_busy_timeout(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)",
                    [LOCK_TIMEOUT, LOCK_ID],
                )
        change()
        is_written = True
    return is_written  # noqa: RET504 - False, if the block is skipped


def _add_counts(counts: Counts) -> None:
    tags = {tag for tag, _ in counts}
    pks = dict(Tag.objects.filter(text__in=tags).values_list("text", "pk"))
    rows = [
        (pks[tag], connection.ops.adapt_datefield_value(day), requests)
        for (tag, day), requests in counts.items()
        if tag in pks
    ]
    if not rows:
        return
    table = DailyUsage._meta.db_table
    placeholders = ", ".join(["(%s, %s, %s)"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (tag_id, day, resolves) VALUES {placeholders} "  # noqa: S608 - of a model
            "ON CONFLICT (tag_id, day) "
            f"DO UPDATE SET resolves = {table}.resolves + excluded.resolves",
            [value for row in rows for value in row],
        )
    _sum_up(pks.values(), today())


def _sum_up(tags: Collection[int], day: date) -> None:
    """Sum up the last 30 days of some tags. Two queries; a tag without a sum gets no row."""
    daily = DailyUsage.objects.filter(tag__in=tags, day__gt=day - timedelta(days=RECENT_DAYS))
    sums = daily.values_list("tag", "tag__text").annotate(Sum("resolves"))
    RecentUsage.objects.bulk_create(
        (
            RecentUsage(tag_id=tag, text=text, resolves=resolves, day=day)
            for tag, text, resolves in sums
        ),
        update_conflicts=True,
        unique_fields=["tag"],
        update_fields=["resolves", "day"],
    )


def _do_upkeep(day: date, tags: Collection[int], rows: Collection[int]) -> None:
    _sum_up(tags, day)
    RecentUsage.objects.filter(pk__in=tags, day__lt=day).delete()
    DailyUsage.objects.filter(pk__in=rows).delete()
