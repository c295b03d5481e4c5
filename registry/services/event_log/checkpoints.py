"""Signed checkpoints of the event log, and the last one, kept in a file beside the database.

Only committed sizes are signed. The file may lag behind the database, never lead: a database that
is shorter than the file says, or has another root at that size, has lost events, and nothing is
signed for it any more. `manage.py log fork` continues after a loss that is accepted.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings

from registry.domain.errors import Code, Refused
from registry.domain.event_log.merkle import CompactRange
from registry.domain.event_log.notes import Checkpoint
from registry.models import LogFork, LogKey
from registry.services.event_log import signing_keys, tree_hashes

log = logging.getLogger(__name__)

_lags = False  # whether the file could not be written the last time


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint, and the note that states it."""

    checkpoint: Checkpoint
    note: str


def newest() -> SignedCheckpoint:
    """Return the checkpoint of the last commit, signed, after it has been kept in the file.

    Two queries, or three. Raises `Refused` (LOG_UNAVAILABLE) without the key, and if the database
    contradicts the file.
    """
    return _sign_and_keep(require_key())


def _sign_and_keep(row: LogKey) -> SignedCheckpoint:
    tree, problem = _compare_with_file(row.origin)
    if problem:
        raise Refused(Code.LOG_UNAVAILABLE, f"The log is not signed: {problem}.")
    signed = _sign(row, tree)
    _keep(signed)
    return signed


# Decision 104: the file lags behind the database and never leads, so a loss shows.
def keep_newest() -> None:
    """Keep the checkpoint of the last commit, if this process has the key."""
    row = signing_keys.key_in_force()
    if row is None or signing_keys.problem(row):
        return
    try:
        _sign_and_keep(row)
    except Refused as refusal:
        log.error("%s", refusal.detail)


def require_key() -> LogKey:
    """Return the public key in force. Raises `Refused` (LOG_UNAVAILABLE) without its private half.

    One query.
    """
    row = signing_keys.key_in_force()
    if problem := signing_keys.problem(row):
        raise Refused(Code.LOG_UNAVAILABLE, f"The log cannot be signed: {problem}.")
    assert row is not None  # noqa: S101 - or there is a problem
    return row


def current() -> SignedCheckpoint:
    """Return the checkpoint of the last commit that the transaction sees, signed. Two queries.

    Call `newest` outside a snapshot; inside one, the file may be ahead of what it sees. Raises
    `Refused` as `require_key` does.
    """
    return _sign(require_key(), tree_hashes.current_range())


def _sign(row: LogKey, tree: CompactRange) -> SignedCheckpoint:
    key = signing_keys.signing_key(row)
    assert key is not None  # noqa: S101 - `require_key` has found it
    checkpoint = Checkpoint(row.origin, tree.size, tree.root)
    return SignedCheckpoint(checkpoint, checkpoint.sign(key))


def kept() -> Checkpoint | None:
    """Return the last checkpoint in the file; None without one.

    Raises `ValueError` if the file holds anything else.
    """
    try:
        note = settings.LOG_CHECKPOINT_FILE.read_text()
    except FileNotFoundError:
        return None
    return Checkpoint.parse(note) if note else None  # empty after a power failure


def contradiction(origin: str) -> str:
    """Return how the tree contradicts the file; empty if it does not. Two queries at most.

    Not inside a snapshot, which may be older than the file.
    """
    return _compare_with_file(origin)[1]


def _compare_with_file(origin: str) -> tuple[CompactRange, str]:
    """Return the tree, and how it contradicts the file.

    Reads the file first: the tree has grown at least as far when it is read after it.
    """
    file, last, problem = settings.LOG_CHECKPOINT_FILE, None, ""
    try:
        last = kept()
    except (OSError, ValueError) as error:
        problem = f"{file} cannot be read: {error}"
    tree = tree_hashes.current_range()
    if last:
        problem = _difference(last, origin, tree)
    return tree, problem


def _difference(last: Checkpoint, origin: str, tree: CompactRange) -> str:
    """Return how a tree contradicts the checkpoint in the file; empty if it does not."""
    file = settings.LOG_CHECKPOINT_FILE
    if last.origin != origin:
        if is_fork(last.origin):
            return ""
        return f"{file} is of another log, {last.origin}: this one is {origin}"
    if last.size > tree.size:
        first = tree.size + 1
        numbers = (
            f"event {first} is" if first == last.size else f"events {first} to {last.size} are"
        )
        return f"{numbers} missing, for which a checkpoint was signed ({file})"
    at_size = tree if last.size == tree.size else tree_hashes.range_at(last.size)
    if at_size.root != last.root:
        return (
            f"events up to {last.size} are not those for which a checkpoint was signed ({file}); "
            "run verify"
        )
    return ""


def is_fork(origin: str) -> bool:
    """Return whether a log with an origin has ended in a fork. One query."""
    return LogFork.objects.filter(origin=origin).exists()


def _keep(signed: SignedCheckpoint) -> None:
    """Write a checkpoint to the file, unless another process has kept a later one.

    A file that cannot be written lags; a read-only disk must not end reads. The log says so once.
    """
    global _lags  # noqa: PLW0603 - one file per process
    file = settings.LOG_CHECKPOINT_FILE
    try:
        with _locked():
            last = kept()
            checkpoint = signed.checkpoint
            if last and last.origin == checkpoint.origin and last.size >= checkpoint.size:
                return
            partial = file.with_name(f"{file.name}.partial")
            partial.write_text(signed.note)
            partial.chmod(0o644)  # it is public; commands may run as another user
            partial.replace(file)
            _lags = False
    except OSError as error:
        if not _lags:
            log.warning("Checkpoints are not kept: %s", error)
        _lags = True


@contextmanager
def _locked() -> Iterator[None]:
    """Exclude other processes of this machine."""
    folder = os.open(settings.LOG_CHECKPOINT_FILE.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
