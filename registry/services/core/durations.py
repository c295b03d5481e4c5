"""A Prometheus histogram that counts many values at the price of a few.

Only `metrics` imports this, once it has started: prometheus-client reads the environment then.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from prometheus_client import Histogram


class Durations(Histogram):
    """A histogram of durations, in seconds."""

    def observe_all(self, seconds: Sequence[float]) -> None:
        """Count all durations, as `observe` does one by one."""
        self._sum.inc(sum(seconds))
        ordered = sorted(seconds)
        counted = 0
        for bound, bucket in zip(self._upper_bounds, self._buckets, strict=True):
            if counted == len(ordered):
                break
            if number := bisect_right(ordered, bound) - counted:
                bucket.inc(number)
                counted += number
