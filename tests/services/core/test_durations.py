"""Many durations count as they would one by one."""

import pytest
from hypothesis import given, strategies as st
from prometheus_client import CollectorRegistry

from registry.services.core.durations import Durations

BUCKETS = (0.001, 0.01, 0.5)


def durations(route: str, registry: CollectorRegistry) -> Durations:
    return Durations("seconds", "-", ["route"], buckets=BUCKETS, registry=registry).labels(route)


def samples(registry: CollectorRegistry) -> dict[tuple[str, str], float]:
    """Return the values of a histogram by name and bucket."""
    (metric,) = registry.collect()
    return {
        (sample.name, sample.labels.get("le", "")): sample.value
        for sample in metric.samples
        if not sample.name.endswith("_created")
    }


@given(st.lists(st.sampled_from([0, *BUCKETS]) | st.floats(0, 100)))
def test_all_at_once_count_as_one_by_one(seconds: list[float]) -> None:
    once, singly = CollectorRegistry(), CollectorRegistry()
    durations("a", once).observe_all(seconds)
    child = durations("a", singly)
    for duration in seconds:
        child.observe(duration)
    assert samples(once) == pytest.approx(samples(singly))
