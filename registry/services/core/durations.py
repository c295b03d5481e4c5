"""A Prometheus histogram that counts many values at the price of a few.

Only `metrics` imports this, once it has started: prometheus-client reads the environment then.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from prometheus_client import Histogram


class Durations(Histogram):
    """A histogram of durations, in seconds."""

    def observe_all(self, seconds: Sequence[float]) -> None:
        """Count all durations, as `observe` does one by one."""
        self._sum.inc(sum(seconds))
        buckets = Counter(bisect_left(self._upper_bounds, duration) for duration in seconds)
        for bucket, number in buckets.items():
            self._buckets[bucket].inc(number)
