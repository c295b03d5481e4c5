"""Forks: the log goes on under another origin, after events were lost that it had signed for."""

from __future__ import annotations

from contextlib import suppress

from registry.domain.errors import Code, Refused
from registry.domain.event_log import notes
from registry.domain.event_log.notes import ORIGIN, Checkpoint
from registry.domain.user_text import check_reason
from registry.models import LogFork, LogKey
from registry.services.core.permissions import Actor
from registry.services.core.transactions import write_lock
from registry.services.event_log import checkpoints, readiness, signing_keys, tree_hashes
from registry.services.event_log.appending import append_event

ACTION = "log.forked"
NO_LOSS = (
    "The log lacks nothing that this server has signed for, and has its key: it goes on without a "
    "fork, which all clients would report. If events were lost that only other servers had signed "
    "for, add --despite-no-loss."
)


def fork(*, reason: str, actor: Actor, origin: str = "", despite_no_loss: bool = False) -> LogKey:
    """End the log at its last signed checkpoint, and go on under another origin; return its key.

    Without an origin, the first one gets a number. Clients report a fork until they are told to
    accept it. Raises `Refused`: REQUEST_INVALID for the reason or the origin, CONFLICT without a
    log, without a private key, and, unless `despite_no_loss`, for a log that can go on as it is.
    """
    reason = check_reason(reason)
    if not despite_no_loss and LogKey.objects.exists() and not readiness.problems():
        raise Refused(Code.CONFLICT, NO_LOSS)
    with write_lock():
        row = signing_keys.key_in_force()
        if row is None:
            raise Refused(Code.CONFLICT, "There is no log to fork: it has no key yet.")
        origin = origin or _next_origin()
        _refuse_used(origin)
        last = _last_signed(row)
        keys = signing_keys.private_keys() or signing_keys.create_if_allowed()
        if not keys:
            raise Refused(Code.CONFLICT, "There is no private key: set REGISTRY_LOG_KEY.")
        key = signing_keys.signing_key(row) or keys[0]
        root = notes.encode(last.root)
        LogFork.objects.create(origin=row.origin, size=last.size, root=root, reason=reason)
        forked = signing_keys.put_in_force(origin, key, tree_hashes.current_range().size)
        append_event(
            ACTION,
            origin,
            actor=actor.user,
            namespace="",
            reason=reason,
            origin=origin,
            was=row.origin,
            size=last.size,
            root=root,
        )
    return forked


def _last_signed(row: LogKey) -> Checkpoint:
    """Return the checkpoint in the file; what the database has if the file does not state one."""
    with suppress(OSError, ValueError):
        if (kept := checkpoints.kept()) and kept.origin == row.origin:
            return kept
    tree = tree_hashes.current_range()
    return Checkpoint(row.origin, tree.size, tree.root)


def _next_origin() -> str:
    first = LogKey.objects.order_by("pk").values_list("origin", flat=True)[0]
    return f"{first}/{LogFork.objects.count() + 2}"


def _refuse_used(origin: str) -> None:
    if not ORIGIN.fullmatch(origin):
        raise Refused(
            Code.REQUEST_INVALID,
            "The origin must be 1 to 200 printable ASCII characters without spaces and +, such as "
            "registry.example.org/log/2.",
        )
    if LogKey.objects.filter(origin=origin).exists():
        raise Refused(Code.REQUEST_INVALID, f"{origin} is or was an origin of this log.")
