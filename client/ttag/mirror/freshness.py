"""States how current a mirror is known to be, for people and for Prometheus."""

from __future__ import annotations

import time
from dataclasses import dataclass


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
