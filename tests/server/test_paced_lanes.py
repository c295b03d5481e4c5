"""Lanes whose networks have a budget of processor time."""

import asyncio
import time
from collections.abc import Callable

import pytest

from registry.http.limiter import network
from registry.server import paced_lanes
from registry.server.budgets import BURST, Budget
from registry.server.lane_choice import LIMITS, LaneName
from registry.server.lanes import LaneFull
from registry.server.paced_lanes import MAX_OF_NETWORK, BudgetUsed, PacedLane
from registry.services.core import metrics

PERSON, READER = "192.0.2.1", "198.51.100.1"
SHARE = 0.1


@pytest.fixture(autouse=True)
def paused(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lanes whose requests had to wait; refuse without delay."""
    paused: list[str] = []
    monkeypatch.setattr(metrics, "count_pause", paused.append)
    monkeypatch.setattr(paced_lanes, "REFUSAL", 0)
    return paused


def lane(share: float = SHARE) -> PacedLane:
    return PacedLane("page", budget=Budget(share), **LIMITS[LaneName.PAGE]._asdict())


def used_up(page_lane: PacedLane, seconds: float = BURST) -> None:
    """Let the reader have taken so much processor time."""
    budget = page_lane._budget
    budget.settle(budget.reserve(READER), BURST + 1)
    budget.settle(budget.reserve(READER), seconds)


def compute(seconds: float) -> Callable[[], None]:
    """Return a job that takes so much processor time."""

    def job() -> None:
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    return job


def test_thirty_pages_at_once_are_neither_refused_nor_paused(paused: list[str]) -> None:
    async def load() -> None:
        pages = lane()
        await asyncio.gather(*(pages.run(compute(0.001), PERSON) for _ in range(30)))

    asyncio.run(load())
    assert paused == []


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_the_machine_itself_is_never_paused(paused: list[str], address: str) -> None:
    async def load() -> None:
        pages = lane()
        own = network(address)
        for _ in range(3):
            pages._budget.settle(pages._budget.reserve(own), 10)
        await pages.run(compute(0.001), own)

    asyncio.run(load())
    assert paused == []


def test_what_a_job_takes_is_counted_and_waiting_is_not() -> None:
    async def load() -> tuple[float, float]:
        pages = lane()
        await pages.run(lambda: time.sleep(0.2), PERSON)
        await pages.run(compute(0.2), READER)
        return pages._budget._taken.of(PERSON), pages._budget._taken.of(READER)

    slept, computed = asyncio.run(load())
    assert slept < 0.1 * computed


def test_a_reader_beyond_its_budget_waits_and_a_person_does_not(paused: list[str]) -> None:
    async def load() -> list[str]:
        pages, order = lane(), list[str]()
        used_up(pages, 0.03)  # a pause of 0.3 s
        reader = asyncio.create_task(pages.run(lambda: order.append("reader"), READER))
        await asyncio.sleep(0)
        await pages.run(lambda: order.append("person"), PERSON)
        await reader
        return order

    assert asyncio.run(load()) == ["person", "reader"]
    assert paused == ["page"]


def test_a_pause_that_is_too_long_is_refused_with_the_time_to_wait() -> None:
    async def load() -> int:
        pages = lane()
        used_up(pages, 10)
        with pytest.raises(BudgetUsed) as error:
            await pages.run(lambda: None, READER)
        assert (pages.paused.used, pages.jobs.used) == (0, 0)
        return error.value.seconds

    assert asyncio.run(load()) == pytest.approx(10 / SHARE, rel=0.05)


def test_many_waiting_requests_of_a_network_are_refused_and_a_person_is_served() -> None:
    async def load() -> None:
        pages = lane()
        used_up(pages, 0.03)
        waiting = [
            asyncio.create_task(pages.run(lambda: None, READER)) for _ in range(MAX_OF_NETWORK)
        ]
        await asyncio.sleep(0)
        with pytest.raises(BudgetUsed):
            await pages.run(lambda: None, READER)
        await pages.run(lambda: None, PERSON)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert pages.paused.used == 0

    asyncio.run(load())


def test_refusals_take_time_so_that_a_client_without_a_pause_gets_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paced_lanes, "REFUSAL", 0.1)

    async def load() -> float:
        pages = lane()
        used_up(pages, 10)
        start = time.monotonic()
        with pytest.raises(BudgetUsed):
            await pages.run(lambda: None, READER)
        return time.monotonic() - start

    assert asyncio.run(load()) >= 0.1


def test_refused_requests_take_nothing_of_the_budget() -> None:
    async def load() -> None:
        pages = PacedLane("page", budget=Budget(SHARE), threads=1, max_waiting=0, max_of_network=0)
        for _ in range(1000):
            with pytest.raises(LaneFull):
                await pages.run(lambda: None, PERSON)
        assert pages._budget.reserve(PERSON).pause == 0

    asyncio.run(load())
