"""Proves what registries and mirrors answer, by their logs: each log is opened once in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from threading import RLock

from ttag.errors import TtagError, attempt
from ttag.log.history import History, KnownLog, missing_for_key, withheld
from ttag.resolution import Resolution
from ttag.settings import Settings
from ttag.sources import Source


@dataclass
class Prover:
    """The logs of the registries and mirrors of a run, compared with what a lock has seen.

    `open_source` and `known_logs` take the address of a registry or mirror; the latter yields the
    logs that the lock has seen, and whether that address must continue each. `note` is called once
    for each address with a sentence that says what was proven. Several threads may share it.
    """

    open_source: Callable[[str], Source]
    known_logs: Callable[[str], Iterable[tuple[KnownLog, bool]]]
    settings: Settings
    note: Callable[[str], None]
    _histories: dict[str, History | TtagError | None] = field(default_factory=dict)
    _turn: RLock = field(default_factory=RLock)

    def history(self, address: str) -> History | None:
        """Return the log at an address, or None if there is none, and none is expected.

        It is signed, by the key of the settings or one that this has led to, and it only grew since
        the lock has seen it. Raises `Tampered`, `LogReplaced`, `LogBehind` or `Unreachable`.
        """
        with self._turn:
            if address not in self._histories:
                self._histories[address] = attempt(self._open, address)
            history = self._histories[address]
        if isinstance(history, TtagError):
            raise history
        return history

    def error_of(self, address: str) -> TtagError | None:
        """Return why nothing is proven by the log at an address, or None."""
        history = self._histories.get(address)
        return history if isinstance(history, TtagError) else None

    def prove(self, address: str, resolution: Resolution) -> Resolution:
        """Return a resolution that the log at an address contains, or raise as `history` does.

        Without a log, nothing is proven, and the number of an event says nothing.
        """
        history = self.history(address)
        if history is None:
            return replace(resolution, event=None)
        with self._turn:
            history.require_version(
                resolution.event, resolution.tag, resolution.version, resolution.digest
            )
        return resolution

    def _open(self, address: str) -> History | None:
        if self.settings.offline and not address.startswith("file:"):
            self.note(f"note: ttag is offline, so no log proves what the cache has of {address}.")
            return None
        source, key = self.open_source(address), self.settings.log_key_of(address)
        known = [
            (log, is_expected or log.registry in source.addresses)
            for log, is_expected in self.known_logs(address)
        ]
        reader = source.open_log()
        history = History.open(reader)
        if history is None:
            if key is not None:
                raise missing_for_key(reader.subject)
            if any(is_expected for _, is_expected in known):
                raise withheld(reader.subject)
            self.note(
                f"note: {reader.subject} has no log of its history, so nothing proves that it was "
                "not rewritten."
            )
            return None
        if key is not None:
            history.require_key(key, "the settings")
        for log, is_expected in known:
            if is_expected or history.continues(log.tree.origin):
                is_other = log.registry not in source.addresses
                may_lag = reader.may_lag or (is_other and reader.is_site)
                history.require_growth(log, may_lag=may_lag)
        self.note(_describe(history, reader.subject, any(expected for _, expected in known)))
        return history


def _describe(history: History, subject: str, is_known: bool) -> str:
    """Return what was checked; a lock without the log cannot tell what was rewritten before."""
    how = "with signatures"
    if not history.has_signatures:
        how = "by its hashes only; `pip install ttag[verify]` adds its signatures"
    unproven = "" if is_known else " The lock has not seen it, so what it said before is unproven."
    return f"note: the log of {subject} was checked to event {history.tree.size}, {how}.{unproven}"
