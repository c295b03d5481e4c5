"""Pools of threads with bounded queues."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from registry.database import deadlines
from registry.server.lanes import Lane, LaneFull
from registry.services.core import metrics

NETWORK, OTHER = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what lanes count in the metrics, as it comes."""
    counted: list[str] = []
    monkeypatch.setattr(metrics, "count_wait", lambda lane, _: counted.append(f"{lane} ran"))
    monkeypatch.setattr(metrics, "count_full_lane", lambda lane: counted.append(f"{lane} full"))
    return counted


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Yield an event that jobs wait for; it is set at the end, so that threads can end."""
    event = threading.Event()
    yield event
    event.set()


def test_job_runs_in_a_thread_of_the_lane() -> None:
    lane = Lane("read", threads=1, max_waiting=0, max_of_network=2)
    names: list[str] = []
    asyncio.run(lane.run(lambda: names.append(threading.current_thread().name), NETWORK))
    lane.close()
    assert names == ["read_0"]


def test_error_of_a_job_is_raised() -> None:
    lane = Lane("read", threads=1, max_waiting=0, max_of_network=2)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(lane.run(lambda: 1 // 0, NETWORK))
    assert lane.jobs.used == 0


def test_full_queue_is_refused_at_once(gate: threading.Event, counted: list[str]) -> None:
    async def fill() -> None:
        lane = Lane("write", threads=1, max_waiting=1, max_of_network=2)
        done: list[int] = []
        running = asyncio.create_task(lane.run(lambda: done.append(int(gate.wait())), NETWORK))
        waiting = asyncio.create_task(lane.run(lambda: done.append(2), NETWORK))
        await asyncio.sleep(0)
        with pytest.raises(LaneFull):
            await lane.run(lambda: done.append(3), NETWORK)
        gate.set()
        await asyncio.gather(running, waiting)
        await lane.run(lambda: done.append(4), NETWORK)
        assert done == [1, 2, 4]

    asyncio.run(fill())
    assert sorted(counted) == ["write full", "write ran", "write ran", "write ran"]


def test_job_that_waits_too_long_is_refused_and_never_runs(
    gate: threading.Event, counted: list[str]
) -> None:
    async def wait() -> None:
        lane = Lane("write", threads=1, max_waiting=5, max_of_network=2, max_wait=0.05)
        done: list[int] = []
        running = asyncio.create_task(lane.run(lambda: done.append(int(gate.wait())), NETWORK))
        await asyncio.sleep(0)
        with pytest.raises(LaneFull):
            await lane.run(lambda: done.append(2), NETWORK)
        gate.set()
        await running
        assert done == [1], "a running job is not interrupted"
        assert lane.jobs.used == 0

    asyncio.run(wait())
    assert counted == ["write ran", "write full"]


def test_lanes_do_not_wait_for_each_other(gate: threading.Event) -> None:
    async def read_while_writing() -> None:
        reads = Lane("read", threads=1, max_waiting=0, max_of_network=2)
        writes = Lane("write", threads=1, max_waiting=0, max_of_network=2)
        writing = asyncio.create_task(writes.run(gate.wait, NETWORK))
        await asyncio.sleep(0)
        await reads.run(lambda: None, NETWORK)
        assert not writing.done()
        gate.set()
        await writing

    asyncio.run(read_while_writing())


def test_a_network_has_its_share_of_a_lane_and_others_find_a_place(gate: threading.Event) -> None:
    async def fill() -> None:
        lane = Lane("page", threads=1, max_waiting=2, max_of_network=2)
        first = [asyncio.create_task(lane.run(gate.wait, NETWORK)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(LaneFull):
            await lane.run(gate.wait, NETWORK)
        other = asyncio.create_task(lane.run(gate.wait, OTHER))
        await asyncio.sleep(0)
        with pytest.raises(LaneFull):
            await lane.run(gate.wait, "192.0.2.3")
        gate.set()
        assert await asyncio.gather(*first, other) == [True] * 3
        assert await lane.run(gate.wait, NETWORK)

    asyncio.run(fill())


@pytest.mark.parametrize("seconds", [-1, 60])
def test_database_has_so_long_for_a_job(seconds: float) -> None:
    async def run() -> bool:
        lane = Lane("page", threads=1, max_waiting=0, max_of_network=1, seconds=seconds)
        return await lane.run(deadlines.has_passed, NETWORK)

    assert asyncio.run(run()) == (seconds < 0)
