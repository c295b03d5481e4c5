"""Readiness of the event log: its key, and the events for which it has signed."""

from __future__ import annotations

from registry.domain.errors import Refused
from registry.services.core.transactions import write_lock
from registry.services.event_log import checkpoints, signing_keys, tree_hashes
from registry.services.event_log.appending import last_event_number


def problems() -> list[str]:
    """Return why this server must not sign for the log; an empty list if it may.

    Stores the public key of a log that has none, if this server has the private one.
    """
    last, covered = last_event_number(), tree_hashes.current_range().size
    row = signing_keys.key_in_force()
    if row is None and covered:
        try:
            with write_lock():
                row = signing_keys.establish(since=covered)
        except Refused as refusal:
            return [refusal.detail]
    problems = [signing_keys.problem(row)] if row or covered else []
    if row:
        problems.append(checkpoints.contradiction(row.origin))
    if last < covered:
        problems.append(f"events {last + 1} to {covered} are missing, which the log's tree covers")
    return [problem for problem in problems if problem]
