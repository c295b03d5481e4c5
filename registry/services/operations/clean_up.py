"""Deletes what has expired, a few rows at a time, so that other writes need not wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from registry.services.accounts import sessions, token_exchange
from registry.services.core.busy_tolerant_cache import delete_expired_counts
from registry.services.notices import inbox
from registry.services.outbox import delivery
from registry.services.webhooks import delivery as webhook_delivery

BATCH = 200  # rows
PAUSE = 0.05  # seconds between two batches, for others that wait for SQLite's write lock


def delete_expired() -> Mapping[str, int]:
    """Delete what has expired; return the number of rows, by what they are."""
    return {
        "sessions": _repeat(sessions.delete_expired_sessions),
        "request counts": _repeat(delete_expired_counts),
        "used identities and their tokens": token_exchange.delete_expired(),
        "failed mails": delivery.forget_failed(),
        "old notices": _repeat(inbox.forget_old),
        "old deliveries to webhooks": _repeat(webhook_delivery.forget_old),
    }


def _repeat(delete: Callable[[int], int]) -> int:
    """Delete batches until one is not full; return the number of rows."""
    total = 0
    while count := delete(BATCH):
        total += count
        if count < BATCH:
            break
        time.sleep(PAUSE)
    return total
