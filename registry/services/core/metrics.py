"""What monitoring asks: counted by every server process, added up where it is shown.

Off until `start`; what is off costs a look at one variable.
"""

from __future__ import annotations

import fcntl
from collections import Counter as Tally
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from django.db import transaction

from registry.environment import hand_on

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram

# Of seconds. A resolution takes milliseconds; the longest wait for the write lock is 20 s.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Meters:
    """The counters, and the folder in which all processes of one server keep theirs."""

    def __init__(self, folder: Path) -> None:
        # prometheus-client looks for the folder when it is first imported.
        from prometheus_client import Counter, Histogram

        self.folder = folder
        self.requests: Counter = Counter(
            "registry_requests", "Requests answered.", ["method", "route", "status"]
        )
        self.seconds: Histogram = Histogram(
            "registry_request_seconds",
            "Time from a request to its answer.",
            ["method", "route"],
            buckets=BUCKETS,
        )
        self.refusals: Counter = Counter("registry_refusals", "Requests refused.", ["code"])
        self.writes: Counter = Counter("registry_writes", "Events written.", ["action"])


_meters: Meters | None = None
_held: IO[str] | None = None  # the lock, for as long as the process lives


def start(folder: Path) -> None:
    """Count from now on, in files below `folder`: one set for each process.

    The first process of a server empties the folder, so that counters begin at 0 together. One
    that is started in place of another must not: sums that fall look like a restart.
    """
    global _meters, _held  # noqa: PLW0603 - one server process counts once
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _held = (folder / "lock").open("a")
    try:
        fcntl.flock(_held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pass  # others are counting
    else:
        for left in folder.glob("*.db"):
            left.unlink()
    fcntl.flock(_held, fcntl.LOCK_SH)
    hand_on("PROMETHEUS_MULTIPROC_DIR", str(folder))
    _meters = Meters(folder)


def count_response(method: str, route: str, status: int, seconds: float) -> None:
    """Count an answer. `route` is a pattern of ours: a path would make a counter for each."""
    if _meters:
        known = method if method in METHODS else "other"
        _meters.requests.labels(known, route, status).inc()
        _meters.seconds.labels(known, route).observe(seconds)


def count_refusal(code: str) -> None:
    """Count a request that was refused as a whole."""
    if _meters:
        _meters.refusals.labels(code).inc()


def count_events(actions: Iterable[str]) -> None:
    """Count events, once they are committed."""
    if _meters is None:
        return
    writes, numbers = _meters.writes, Tally(actions)

    def count() -> None:
        for action, number in numbers.items():
            writes.labels(action).inc(number)

    transaction.on_commit(count)


def render_metrics() -> str | None:
    """All counters of all processes in Prometheus' text format; None where nothing is counted."""
    if _meters is None:
        return None
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    collected = CollectorRegistry()
    MultiProcessCollector(collected, str(_meters.folder))
    return generate_latest(collected).decode()
