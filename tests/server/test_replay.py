"""Requests wait for a position on the event loop, for a second at most, and not too many."""

import asyncio
import time

import pytest

from registry.database.postgresql.positions import END, Position
from registry.server import replay
from registry.server.replay import NotReplayed, Replay

WANTED = "2-0/100"


@pytest.mark.parametrize(
    ("known", "has"),
    [
        ((2, 0x100), True),
        ((2, 0x101), True),
        ((3, 0x100), True),
        ((1, END), False),
        ((2, 0xFF), False),
        ((3, 0xFF), False),
    ],
)
def test_server_has_what_was_written_before_its_position(
    known: tuple[int, int], *, has: bool
) -> None:
    wanted = Position.parse(WANTED)
    assert wanted
    assert Position(*known).has(wanted) is has


@pytest.mark.parametrize(
    "position", [Position(1, 0), Position(12, 0x1_0000_00FF), Position(1, END)]
)
def test_printed_position_is_read_again(position: Position) -> None:
    assert Position.parse(str(position)) == position


@pytest.mark.parametrize(
    "text",
    ["", "1", "0-0/1", "1-0/", "1-1/123456789", "-1-0/1", "1-0/1 ", "1-0/g", "\u0661-0/1", "1-0/a"],
)
def test_other_texts_state_no_position(text: str) -> None:
    assert Position.parse(text) is None


def test_known_position_is_not_waited_for() -> None:
    start = time.monotonic()
    asyncio.run(Replay(lambda: Position(2, 0x100)).wait_for(WANTED, "network"))
    asyncio.run(Replay(lambda: None).wait_for("no position", "network"))
    assert time.monotonic() - start < replay.MAX_WAIT / 2


def test_request_goes_on_once_its_position_is_known() -> None:
    known = [Position(2, 0xFF)]

    async def wait() -> None:
        asyncio.get_running_loop().call_later(0.1, known.append, Position(2, 0x100))
        await Replay(lambda: known[-1]).wait_for(WANTED, "network")

    asyncio.run(wait())


@pytest.mark.parametrize("known", [None, Position(1, END)])
def test_wait_ends(monkeypatch: pytest.MonkeyPatch, known: Position | None) -> None:
    monkeypatch.setattr(replay, "MAX_WAIT", 0.1)
    with pytest.raises(NotReplayed):
        asyncio.run(Replay(lambda: known).wait_for(WANTED, "network"))


def test_network_has_a_share_of_those_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_OF_NETWORK", 1)
    monkeypatch.setattr(replay, "MAX_WAIT", 0.2)
    waits = Replay(lambda: None)

    async def wait() -> tuple[float, float, float]:
        start = time.monotonic()

        async def seconds(network: str) -> float:
            with pytest.raises(NotReplayed):
                await waits.wait_for(WANTED, network)
            return time.monotonic() - start

        return await asyncio.gather(seconds("one"), seconds("one"), seconds("two"))

    first, refused, other = asyncio.run(wait())
    assert refused < 0.1 < min(first, other)
