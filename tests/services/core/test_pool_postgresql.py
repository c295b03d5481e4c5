"""The pool of connections: an exhausted one is busy after a bounded wait, an outage at once."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection

from registry.database.postgresql import base, outage
from registry.domain.errors import Code
from registry.models import Tag
from registry.services.core import database_errors

pytestmark = pytest.mark.django_db
WAIT = 0.3  # seconds, in place of five


@pytest.fixture
def count_tags() -> Iterator[Callable[[], int]]:
    """Yield a function that queries on a connection of another thread."""

    def count() -> int:
        try:
            return Tag.objects.count()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as executor:
        yield lambda: executor.submit(count).result()


@pytest.fixture
def exhausted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take every connection out of the pool."""
    monkeypatch.setattr(base, "POOL_TIMEOUT", WAIT)
    wrapper: Any = connection
    wrapper.ensure_connection()
    free = wrapper.pool.max_size - 1
    taken = [wrapper.pool.getconn(timeout=5) for _ in range(free)]
    yield
    for driver_connection in taken:
        wrapper.pool.putconn(driver_connection)


@pytest.mark.usefixtures("exhausted")
def test_exhausted_pool_is_busy_after_a_bounded_wait(count_tags: Callable[[], int]) -> None:
    start = time.monotonic()
    with pytest.raises(OperationalError) as raised:
        count_tags()
    assert time.monotonic() - start >= WAIT
    refusal = database_errors.refusal(raised.value)
    assert refusal
    assert refusal.code is Code.BUSY


def test_pool_serves_again(count_tags: Callable[[], int]) -> None:
    assert count_tags() > 0


@pytest.mark.usefixtures("exhausted")
def test_one_request_a_second_tries_to_connect_during_an_outage(
    monkeypatch: pytest.MonkeyPatch, count_tags: Callable[[], int]
) -> None:
    now = time.monotonic()  # stands still: on a busy machine, five requests take a second
    monkeypatch.setattr(outage, "time", SimpleNamespace(monotonic=lambda: now))
    state = outage.Outage()
    monkeypatch.setattr(base, "outage", state)
    state.is_on = True
    wrapper: Any = connection
    requests = lambda: wrapper.pool.get_stats()["requests_num"]  # noqa: E731 - short
    before = requests()
    for _ in range(5):
        with pytest.raises(OperationalError):
            count_tags()
    assert requests() == before + 1
    state.is_on = False
    with pytest.raises(OperationalError):
        count_tags()
    assert requests() > before + 2, "it waits for the pool again"


def test_connections_of_the_pool_are_counted_by_their_state(
    count_tags: Callable[[], int],
) -> None:
    count_tags()
    before = base.pool_connections()
    assert before["used"] >= 1, "that of this test"
    assert before["waiting"] == 0
    with ThreadPoolExecutor(1) as executor:

        def used() -> int:
            Tag.objects.count()
            number = base.pool_connections()["used"]
            connection.close()
            return number

        assert executor.submit(used).result() == before["used"] + 1
    assert base.pool_connections()["used"] == before["used"]
