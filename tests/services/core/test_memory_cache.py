"""The cache in memory."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier, Event
from unittest.mock import Mock

import pytest
from hypothesis import given, strategies as st

from registry.services.core.memory_cache import MAX_BYTES, MemoryCache, cache

pytestmark = pytest.mark.any_database


def incompressible(size: int, seed: int = 0) -> bytes:
    return Random(seed).randbytes(size)  # noqa: S311 - not for security


def test_a_value_is_computed_once() -> None:
    compute = Mock(return_value={"a": (1, 2)})
    values = MemoryCache()
    for _ in range(3):
        assert values.get_or_compute("key", compute) == {"a": (1, 2)}
    compute.assert_called_once_with()


def test_none_is_a_value() -> None:
    compute = Mock(return_value=None)
    values = MemoryCache()
    assert values.get_or_compute("key", compute) is None
    assert values.get_or_compute("key", compute) is None
    compute.assert_called_once_with()


def test_callers_cannot_change_the_stored_value() -> None:
    values = MemoryCache()
    first: list[int] = values.get_or_compute("key", list)
    first.append(1)
    second: list[int] = values.get_or_compute("key", list)
    second.append(2)
    assert values.get_or_compute("key", list) == []


def test_an_error_is_raised_and_not_cached() -> None:
    values = MemoryCache()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            values.get_or_compute("key", lambda: 1 // 0)
    assert values.get_or_compute("key", lambda: 5) == 5
    assert not values._running


def test_threads_that_ask_at_the_same_time_compute_once() -> None:
    values, started, barrier = MemoryCache(), Event(), Barrier(4)
    calls: list[int] = []

    def compute() -> int:
        calls.append(1)
        started.wait(0.2)
        return 7

    def ask(_: int) -> int:
        barrier.wait(10)
        return values.get_or_compute("key", compute)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [7] * 4
    assert calls == [1]
    assert not values._running


def test_one_slow_value_delays_no_other() -> None:
    values, release = MemoryCache(), Event()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(values.get_or_compute, "slow", lambda: release.wait(10))
        assert values.get_or_compute("fast", lambda: 1) == 1
        release.set()
        assert slow.result(10)


def test_the_least_recently_used_values_are_removed() -> None:
    values = MemoryCache(max_bytes=2500)
    store = partial(incompressible, 1000)
    never = Mock()
    for key in (1, 2):
        values.get_or_compute(key, store)
    values.get_or_compute(1, never)  # 2 is now the one that was not used for longest
    values.get_or_compute(3, store)
    values.get_or_compute(1, never)
    never.assert_not_called()
    assert values.get_or_compute(2, lambda: b"again") == b"again"


def test_a_value_larger_than_the_cache_is_returned_and_not_stored() -> None:
    values = MemoryCache(max_bytes=1000)
    for _ in range(2):
        assert values.get_or_compute("key", lambda: incompressible(5000)) == incompressible(5000)
        assert values.size == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 900)), max_size=30))
def test_the_size_never_exceeds_the_limit(requests: list[tuple[int, int]]) -> None:
    values = MemoryCache(max_bytes=1000)
    for key, size in requests:
        values.get_or_compute((key, size), partial(incompressible, size))
        assert 0 <= values.size <= values.max_bytes
        assert values.size == sum(map(len, values._values.values()))


def test_clearing_removes_everything() -> None:
    values = MemoryCache()
    values.get_or_compute("key", lambda: 1)
    values.clear()
    assert (values.size, values.get_or_compute("key", lambda: 2)) == (0, 2)


def test_a_process_keeps_at_most_32_mib() -> None:
    assert cache.max_bytes == MAX_BYTES == 32 << 20
