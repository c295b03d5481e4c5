"""Proves that a log only grew since a lock has seen it, and that it holds what it should."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from ttag.errors import Tampered, Unreachable
from ttag.log import proofs
from ttag.log.checkpoints import Checkpoint, Tree
from ttag.log.entries import read_leaf, states
from ttag.log.files import LogReader
from ttag.log.notes import Key, Malformed, can_verify
from ttag.log.tree import leaf_hash

ACCEPT = "`ttag lock --accept-log` accepts it"


class LogReplaced(Tampered):
    """A registry that goes on with another log than the one that a lock has seen."""


class LogBehind(Unreachable):
    """A mirror that is older than a lock, so that it can prove nothing about what is locked."""


@dataclass(frozen=True, slots=True)
class KnownLog:
    """A log as somebody has seen it: at which address, its tree then, and its key if known."""

    registry: str
    tree: Tree
    key: Key | None = None


class History:
    """The log of a registry or a mirror, up to its newest checkpoint."""

    def __init__(self, reader: LogReader, checkpoint: Checkpoint) -> None:
        """Check the keys and the signature of a log. Raises `Tampered`."""
        self._reader = reader
        self.checkpoint = checkpoint
        self.keys = reader.keys()
        while self._is_before_newest_key():
            self.keys = self.keys.without_newest()
        self.has_signatures = can_verify()
        self._require_signature()

    @classmethod
    def open(cls, reader: LogReader) -> History | None:
        """Return the history of a log, or None if there is none. Raises `TtagError`."""
        checkpoint = reader.checkpoint()
        if checkpoint is None:
            return None
        try:
            return cls(reader, checkpoint)
        except Tampered:
            # The log may have been forked after the checkpoint was read: both are read once more.
            checkpoint = reader.checkpoint()
            return None if checkpoint is None else cls(reader, checkpoint)

    @property
    def tree(self) -> Tree:
        """The tree of the newest checkpoint."""
        return self.checkpoint.tree

    def known(self, registry: str) -> KnownLog:
        """Return this log as a lock records it."""
        return KnownLog(registry, self.tree, self.keys.newest)

    def continues(self, origin: str) -> bool:
        """Return whether this is the log with an origin, or says that it continues that one."""
        return origin == self.tree.origin or self.keys.fork_of(origin) is not None

    def require_key(self, key: Key, where: str) -> None:
        """Raise `Tampered` unless a key, known from `where`, or one that it has led to, signs."""
        if not self.is_led_from(key):
            lag = " A mirror from before that key has to be updated."
            raise Tampered(
                f"The log of {self._subject} is signed by {self.keys.newest}, which the key {key} "
                f"of {where} has not endorsed.{lag if self._reader.may_lag else ''}"
            )

    def is_led_from(self, key: Key) -> bool:
        """Return whether a key signs this log, or has led to the one that does."""
        return self.keys.lead_from(key, self._verify)

    def require_growth(self, known: KnownLog, *, may_lag: bool = False) -> None:
        """Raise `Tampered` unless this log begins with the tree that a lock has seen.

        A mirror `may_lag`: then one that is older raises `LogBehind`.
        """
        if known.tree.origin != self.tree.origin:
            raise self._replaced(known)
        # Before its key, which may be older than the lock's, too.
        if self.tree.size < known.tree.size and may_lag:
            raise LogBehind(
                f"{_capital(self._subject)} is older than the lock: its log ends with event "
                f"{self.tree.size}, and the lock has seen event {known.tree.size}. Update it, or "
                "ask the registry."
            )
        if known.key:
            self.require_key(known.key, "the lock")
        if self.tree.size < known.tree.size:
            raise Tampered(
                f"The log of {self._subject} was cut short: it ends with event {self.tree.size}, "
                f"and the lock has seen event {known.tree.size}."
            )
        self._attempt(partial(self._require_prefix, known.tree))

    def require_version(self, event: int | None, tag: str, version: str, digest: str) -> None:
        """Raise `Tampered` unless an event of this log says that a version has a digest.

        If the event is newer than the checkpoint, the next one is read.
        """
        exact = f"{tag}@{version}"
        if event is None:
            raise Tampered(f"{_capital(self._subject)} does not say which event is {exact}.")
        if event > self.tree.size:
            self._advance()
        if not 1 <= event <= self.tree.size:
            raise Tampered(
                f"{exact} is said to be event {event}, and the log of {self._subject} ends with "
                f"event {self.tree.size}."
            )
        self._attempt(partial(self._require_leaf, event, tag, version, digest))

    @property
    def _subject(self) -> str:
        return self._reader.subject

    def _is_before_newest_key(self) -> bool:
        """Return whether the checkpoint may be, and is, from before the newest key.

        Keys are written first, and checkpoints are read first. What is left is what was there then.
        """
        *older, newest = self.keys.keys
        is_signed = bool(self.checkpoint.note.signatures_by(newest.key))
        return bool(older) and self.tree.size <= newest.since and not is_signed

    def _require_signature(self) -> None:
        """Raise `Tampered` unless the newest key of the log has signed its checkpoint."""
        key = self.keys.newest
        if self.tree.origin != self.keys.origin:
            raise Tampered(
                f"The log of {self._subject} is {self.tree.origin}, and its keys are those of "
                f"{self.keys.origin}."
            )
        try:
            signature = self.checkpoint.signature_by(key)
        except Malformed as error:
            raise self._reader.damaged("checkpoint", error) from error
        if not self._verify(key, self.checkpoint.note.text.encode(), signature):
            raise Tampered(
                f"The checkpoint of {self._subject} has a signature that is not by its key {key}."
            )

    def _verify(self, key: Key, text: bytes, signature: bytes) -> bool:
        return not self.has_signatures or key.has_signed(text, signature)

    def _advance(self) -> None:
        """Take the next checkpoint, which must continue this one."""
        newer = History.open(self._reader)
        if newer is None:
            raise withheld(self._subject)
        newer.require_growth(self.known(""))
        self.checkpoint, self.keys = newer.checkpoint, newer.keys

    def _replaced(self, known: KnownLog) -> LogReplaced:
        lock = f"the log {known.tree.origin}, of which the lock has seen event {known.tree.size}"
        fork = self.keys.fork_of(known.tree.origin)
        if fork is None:
            return LogReplaced(
                f"{_capital(self._subject)} has the log {self.tree.origin}, which does not "
                f"continue {lock}. If that is intended, {ACCEPT}."
            )
        return LogReplaced(
            f"{_capital(self._subject)} has begun the log {self.tree.origin} after event "
            f"{fork.tree.size} of {lock}: {fork.reason.rstrip('.')}. What came after may be lost; "
            f"{ACCEPT}."
        )

    def _require_prefix(self, old: Tree) -> None:
        read = partial(self._node, self.tree.size)
        size, new = old.size, self.tree
        proof = proofs.consistency_proof(size, new.size, read) if 0 < size < new.size else []
        if not proofs.is_consistent(size, old.root, new.size, new.root, proof):
            raise Tampered(
                f"The log of {self._subject} was rewritten: its first {size} events are not those "
                "that the lock has seen."
            )

    def _require_leaf(self, event: int, tag: str, version: str, digest: str) -> None:
        size, index = self.tree.size, event - 1
        data = self._reader.leaf(index, size)
        proof = proofs.inclusion_proof(index, size, partial(self._node, size))
        if not proofs.is_included(leaf_hash(data), index, size, self.tree.root, proof):
            raise Tampered(
                f"Event {event} of {self._subject} is not the one that its log commits to."
            )
        try:
            leaf = read_leaf(data)
        except Malformed as error:
            raise Tampered(f"Event {event} of {self._subject} is not usable: {error}.") from error
        if not states(leaf, event, tag, version, digest):
            raise Tampered(
                f"Event {event} of {self._subject} does not say that {tag}@{version} has the "
                f"digest {digest}."
            )

    def _node(self, size: int, height: int, index: int) -> bytes:
        return self._reader.node(height, index, size)

    def _attempt(self, prove: Callable[[], None]) -> None:
        """Prove something; if that fails with what is in a cache, ask for everything again."""
        try:
            prove()
        except Tampered:
            if not self._reader.refresh():
                raise
            prove()


def withheld(subject: str) -> Tampered:
    """Return the error that there is no log where there was one."""
    return Tampered(
        f"{_capital(subject)} has no log, and had one when the lock was written. A mirror that an "
        "older ttag wrote has none: write it again."
    )


def missing_for_key(subject: str) -> Tampered:
    """Return the error that there is no log where the settings name its key."""
    return Tampered(f"{_capital(subject)} has no log, and the settings name its key.")


def require_one_history(known: Iterable[KnownLog]) -> None:
    """Raise `Tampered` if two of the same log have one size and different roots: a split view."""
    roots: dict[tuple[str, int], bytes] = {}
    for each in known:
        place = (each.tree.origin, each.tree.size)
        if roots.setdefault(place, each.tree.root) != each.tree.root:
            raise Tampered(
                f"The log {each.tree.origin} has shown two histories of {each.tree.size} events: "
                "both sides of the merge have seen different ones."
            )


def _capital(subject: str) -> str:
    return f"{subject[:1].upper()}{subject[1:]}"
