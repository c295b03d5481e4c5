"""A small committed write, which shows whether the database accepts writes."""

from __future__ import annotations

import secrets
import time
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.services.core import database_errors
from registry.services.core.busy_tolerant_cache import short_busy_timeout

INTERVAL = 1  # second for which a result is reused, so that probes cannot fill the log of writes
SIZE = 4096  # characters; more than fits into the free space of a page
KEY = "write_probe"  # of its row in the table of the cache, which every probe replaces
LOCK_TIMEOUT = "100ms"  # on PostgreSQL, for that row
STATEMENT_TIMEOUT = "1s"
SENTENCES = {
    Code.STORAGE_FULL: database_errors.FULL,
    Code.READ_ONLY: database_errors.READ_ONLY,
    Code.STORAGE_DAMAGED: database_errors.DAMAGED,
}

_last_probe: tuple[float, Code | None] | None = None


def write_failure() -> Code | None:
    """Return STORAGE_FULL, READ_ONLY or STORAGE_DAMAGED if the database rejects writes, else None.

    That is what the last write of this process met, if it failed in the last ten seconds, or else
    what a write meets now. A lock that another write holds is no failure, and is not waited for,
    unless the disk is full: then that write waits for space in vain.
    """
    global _last_probe  # noqa: PLW0603 - one database per process
    if failure := database_errors.last_failure():
        return failure
    now = time.monotonic()
    if _last_probe is None or now >= _last_probe[0] + INTERVAL:
        _last_probe = now, _probe()
    return _last_probe[1]


def refuse_failure() -> None:
    """Raise `Refused` (STORAGE_FULL, READ_ONLY, STORAGE_DAMAGED) if the database rejects writes."""
    if failure := write_failure():
        raise Refused(failure, SENTENCES[failure])


def _probe() -> Code | None:
    try:
        with short_busy_timeout(0), transaction.atomic():
            _write()
    except DatabaseError as error:
        refusal = database_errors.report(error)
        if refusal is None:
            raise
        if refusal.code is not Code.BUSY:
            return refusal.code
        return Code.STORAGE_FULL if database_errors.is_disk_full() else None
    return None


def _write() -> None:
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    expires = connection.ops.adapt_datetimefield_value(timezone.now() + timedelta(minutes=1))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT set_config('lock_timeout', %s, true), "
                "set_config('statement_timeout', %s, true)",
                [LOCK_TIMEOUT, STATEMENT_TIMEOUT],
            )
        cursor.execute(
            f"INSERT INTO {table} (cache_key, value, expires) VALUES (%s, %s, %s) "  # noqa: S608 - from the settings
            "ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value, "
            "expires = excluded.expires",
            [KEY, secrets.token_hex(SIZE // 2), expires],
        )
