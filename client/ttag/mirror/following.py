"""Keeps a mirror up to date: looks every two seconds whether the log of the registry has grown."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from threading import Condition, Event

from ttag.errors import Refused, SettingsError, TtagError
from ttag.http.transport import Response
from ttag.log.files import CHECKPOINT, FOLDER
from ttag.mirror.mirroring import write_mirror
from ttag.registry.connection import API
from ttag.registry.registry import Registry

INTERVAL = 2.0  # seconds between two looks; a mirror is to be less than five behind
SHORTEST = 0.5  # seconds between two looks, however many readers miss something
LONGEST = 30.0  # seconds between two looks while the registry is away
STALEST = 3600.0  # seconds after which the overview is written again, to state that it is current
Say = Callable[[str], None]


@dataclass
class Freshness:
    """The state of a mirror that follows a registry. Times are in seconds since 1970.

    At `confirmed` the registry had nothing that the mirror lacks; 0 if it was never asked.
    `problem` says why the last look failed, and is empty if it did not.
    """

    event: int = 0
    confirmed: float = 0.0
    problem: str = ""
    looks: int = 0
    failures: int = 0
    events: int = 0  # that were applied
    full_runs: int = 0

    def age(self) -> float:
        """Return for how long the mirror may lack something, in seconds."""
        return max(0.0, time.time() - self.confirmed)

    def as_metrics(self) -> bytes:
        """Return gauges and counters in Prometheus' text format."""
        age = self.age() if self.confirmed else float("nan")
        rows = (
            ("age_seconds", "gauge", "For how long the mirror may lack something.", age),
            ("event", "gauge", "The last event in the mirror.", self.event),
            ("looks_total", "counter", "Looks at the registry.", self.looks),
            ("failures_total", "counter", "Looks that failed.", self.failures),
            ("events_total", "counter", "Events that were applied.", self.events),
            ("full_runs_total", "counter", "Runs that read everything.", self.full_runs),
        )
        return "".join(
            f"# HELP registry_mirror_{name} {meaning}\n# TYPE registry_mirror_{name} {kind}\n"
            f"registry_mirror_{name} {float(value)!r}\n"
            for name, kind, meaning, value in rows
        ).encode()


class Stopped(Exception):
    """The follower is told to end."""


@dataclass
class Follower:
    """Follows one registry. `report` gets a line for each change, `warn` one for each outage."""

    registry: Registry
    root: Path
    namespaces: Collection[str] = ()
    formats: Collection[str] = ()
    report: Say = lambda line: None
    warn: Say = lambda sentence: None
    progress: Say = lambda sentence: None
    interval: float = INTERVAL
    freshness: Freshness = field(default_factory=Freshness)
    is_waiting: bool = False  # for the registry, or for the next look
    _seen: bytes = b""  # the last checkpoint that was applied
    _etag: str = ""
    _written: float = 0.0
    _failed: int = 0  # looks, one after the other
    _is_stopping: bool = False
    _wake: Event = field(default_factory=Event)
    _looked: Condition = field(default_factory=Condition)

    def __post_init__(self) -> None:
        """Let no cache on the way answer."""
        self.registry = replace(self.registry, no_cache=True)

    def run(self) -> None:
        """Follow until stopped. Raises `SettingsError` for what no later look can mend."""
        try:
            while not self._is_stopping:
                self._attempt()
                self._pause()
        except Stopped:
            pass

    def stop(self) -> None:
        """End after the change at hand; a run that reads everything ends at once."""
        self._is_stopping = True
        self._wake.set()

    def look_now(self, timeout: float) -> bool:
        """Look as soon as possible; return whether the mirror has all that the registry had.

        Does nothing while the registry is away.
        """
        asked, freshness = time.time(), self.freshness
        if freshness.problem:
            return False
        self._wake.set()
        with self._looked:
            self._looked.wait_for(
                lambda: freshness.confirmed >= asked or bool(freshness.problem), timeout
            )
        return freshness.confirmed >= asked

    def _attempt(self) -> None:
        """Look once, and remember how that went."""
        freshness = self.freshness
        freshness.looks += 1
        try:
            self._look()
        except SettingsError:
            raise
        except TtagError as error:
            freshness.failures += 1
            self._failed += 1
            if not freshness.problem:
                self.warn(str(error))
            freshness.problem = str(error)
        with self._looked:
            self._looked.notify_all()

    def _look(self) -> None:
        """Apply what is new. Raises `TtagError`."""
        started = time.time()
        self.is_waiting = True
        response = self._checkpoint()
        self.is_waiting = False
        is_new = response.status == HTTPStatus.OK and response.body != self._seen
        if is_new or started - self._written > STALEST:
            self._update()
            self._written = started
        if is_new:
            self._seen, self._etag = response.body, response.headers.get("etag", "")
        if self.freshness.problem:
            self.report("the registry answers again")
        self._failed = 0
        self.freshness.problem, self.freshness.confirmed = "", started

    def _checkpoint(self) -> Response:
        """Return the checkpoint of the log, or 304 if it is the last one. Raises `TtagError`."""
        headers = {"If-None-Match": self._etag} if self._etag else {}
        path = f"{API}/{FOLDER}/{CHECKPOINT}"
        try:
            return self.registry.transport.request("GET", path, headers=headers)
        except Refused as refusal:
            if refusal.code != "ROUTE_UNKNOWN":
                raise
            raise SettingsError(
                f"{self.registry.source} has no log, without which its changes are unknown."
            ) from refusal

    def _update(self) -> None:
        summary = write_mirror(
            self.registry,
            self.root,
            namespaces=self.namespaces,
            formats=self.formats,
            progress=self._check_in,
            report=self._report,
        )
        self.freshness.event = summary.event
        if summary.reason:
            self.freshness.full_runs += 1
            self.report(
                f"everything was read, because {summary.reason}: event {summary.event}, "
                f"{summary.written} files written, {summary.removed} removed"
            )

    def _report(self, line: str) -> None:
        self.freshness.events += 1
        self.report(line)

    def _check_in(self, sentence: str) -> None:
        """Raise `Stopped` between two steps of a long run, if that is wanted."""
        if self._is_stopping:
            raise Stopped
        self.progress(sentence)

    def _pause(self) -> None:
        """Wait for the next look, for longer after each failure; not for long if one is wanted."""
        self.is_waiting = True
        shortest = min(SHORTEST, self.interval)
        time.sleep(shortest)
        self._wake.wait(min(self.interval * 2 ** min(self._failed, 10), LONGEST) - shortest)
        self._wake.clear()
        self.is_waiting = False
