"""Counts requests, errors and events for Prometheus, summed over all server processes.

Disabled until `start`; while disabled, counting costs one check of a variable.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

from django.db import transaction

from registry.environment.variables import set_variable

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge

    from registry.services.core.durations import Durations

# Seconds. Resolving takes milliseconds; the longest wait for the write lock is 20 s.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
FILE_SIZE = 4 * 2**20  # bytes; every route with every method and bucket takes half of it
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


log = logging.getLogger(__name__)


class Meters:
    """The Prometheus counters, and the folder that all processes of one server share."""

    def __init__(self, folder: Path) -> None:
        # prometheus-client reads the folder from the environment on its first import.
        from prometheus_client import Counter

        from registry.services.core.durations import Durations

        self.folder = folder
        self.requests: Counter = Counter(
            "registry_requests", "Requests handled.", ["method", "route", "status"]
        )
        self.seconds: Durations = Durations(
            "registry_request_seconds",
            "Time from a request to its response.",
            ["method", "route"],
            buckets=BUCKETS,
        )
        self.processor: Counter = Counter(
            "registry_request_processor_seconds",
            "Processor time of the threads that answer requests, without the server's own.",
            ["method", "route"],
        )
        self.refusals: Counter = Counter("registry_refusals", "Requests rejected.", ["code"])
        self.writes: Counter = Counter("registry_writes", "Events written.", ["action"])
        self.waits: Durations = Durations(
            "registry_lane_wait_seconds",
            "Time that a request waits for a thread of its lane.",
            ["lane"],
            buckets=BUCKETS,
        )
        self.full_lanes: Counter = Counter(
            "registry_lane_refusals", "Requests that found no place in their lane.", ["lane"]
        )
        self.pauses: Counter = Counter(
            "registry_lane_pauses", "Requests whose network had used its budget.", ["lane"]
        )
        self.memory: Counter = Counter(
            "registry_memory_lookups", "Requests that memory could answer.", ["result"]
        )

    # Gauges are made when they are first set: one that nobody sets would be 0.
    @cached_property
    def revision_read(self) -> Gauge:
        """The moment of the earliest of the last readings of all processes."""
        from prometheus_client import Gauge

        return Gauge(
            "registry_revision_read_timestamp_seconds",
            "When the process that is furthest behind last read what has changed.",
            multiprocess_mode="livemin",
        )

    @cached_property
    def pool(self) -> Gauge:
        """The connections of the pools of all processes."""
        from prometheus_client import Gauge

        return Gauge(
            "registry_pool_connections",
            "Connections of the pools, and requests that wait for one.",
            ["state"],
            multiprocess_mode="livesum",
        )


_meters: Meters | None = None
_lock_file: IO[str] | None = None  # locked for as long as the process lives


def start(folder: Path) -> None:
    """Start counting, in files below `folder`: one set per process.

    The first process of a server empties the folder, so that all counters start at 0 together. A
    process that replaces another must not: to Prometheus, a falling sum looks like a restart. If
    the files cannot be written, nothing is counted, and the log says so.
    """
    try:
        _start(folder)
    except OSError as error:
        log.warning("This process counts no metrics: %s", error)


def _start(folder: Path) -> None:
    global _meters, _lock_file  # noqa: PLW0603 - one set of counters per process
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _lock_file = (folder / "lock").open("a")
    try:
        fcntl.flock(_lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pass  # other processes are counting
    else:
        for old_file in folder.glob("*.db"):
            old_file.unlink()
    fcntl.flock(_lock_file, fcntl.LOCK_SH)
    for kind in ("counter", "histogram"):  # the names that prometheus-client chooses
        _reserve(folder / f"{kind}_{os.getpid()}.db")
    set_variable("PROMETHEUS_MULTIPROC_DIR", str(folder))
    _meters = Meters(folder)


def _reserve(file: Path) -> None:
    """Give a file the space it may need: on a full disk, growing it would kill the process.

    Its pages are mapped into memory, and writing to one that the disk has no block for is a SIGBUS.
    """
    try:
        file.write_bytes(bytes(FILE_SIZE))
    except OSError:
        file.unlink(missing_ok=True)
        raise


def count_response(method: str, route: str, status: int, seconds: float) -> None:
    """Count a response. `route` is a URL pattern, because every path would be a new counter."""
    count_responses(method, route, status, (seconds,))


def count_responses(method: str, route: str, status: int, seconds: Sequence[float]) -> None:
    """Count responses to the same route, each with the time that it took."""
    if _meters:
        label = method if method in METHODS else "other"
        _meters.requests.labels(label, route, status).inc(len(seconds))
        _meters.seconds.labels(label, route).observe_all(seconds)


def count_processor_time(method: str, route: str, seconds: float) -> None:
    if _meters:
        _meters.processor.labels(method if method in METHODS else "other", route).inc(seconds)


def note_revision() -> None:
    """Note that this process has read the revision of all answers now."""
    if _meters:
        _meters.revision_read.set_to_current_time()


def note_pool(connections: Mapping[str, int]) -> None:
    """Note how many connections of this process's pool are in each state."""
    if _meters:
        for state, number in connections.items():
            _meters.pool.labels(state).set(number)


def count_refusal(code: str) -> None:
    """Count a request that was rejected with an error code."""
    if _meters:
        _meters.refusals.labels(code).inc()


def count_wait(lane: str, seconds: float) -> None:
    """Count a request that waited so long for a thread of its lane."""
    if _meters:
        _meters.waits.labels(lane).observe(seconds)


def count_full_lane(lane: str) -> None:
    """Count a request that found its lane full, or waited too long in it."""
    if _meters:
        _meters.full_lanes.labels(lane).inc()


def count_pause(lane: str) -> None:
    """Count a request that had to wait because its network had used its budget."""
    if _meters:
        _meters.pauses.labels(lane).inc()


def count_lookups(result: str, number: int = 1) -> None:
    """Count requests for which the server looked into its memory: a `hit`, a `miss`, `unknown`."""
    if _meters:
        _meters.memory.labels(result).inc(number)


def count_events(actions: Iterable[str]) -> None:
    """Count events once their transaction is committed."""
    if _meters is None:
        return
    writes, counts = _meters.writes, Tally(actions)

    def count() -> None:
        for action, number in counts.items():
            writes.labels(action).inc(number)

    transaction.on_commit(count)


def render_metrics() -> str | None:
    """Return all processes' counters in Prometheus' text format, or None while disabled."""
    if _meters is None:
        return None
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    _forget_gauges_of_dead_processes(_meters.folder)
    collectors = CollectorRegistry()
    MultiProcessCollector(collectors, str(_meters.folder))
    return generate_latest(collectors).decode()


def _forget_gauges_of_dead_processes(folder: Path) -> None:
    """Delete the gauges of processes that have ended. What they counted stays."""
    for file in folder.glob("gauge_*.db"):
        try:
            os.kill(int(file.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            file.unlink(missing_ok=True)  # another process may have been faster
