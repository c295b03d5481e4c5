"""Receiving bodies within limits on time, number and memory."""

import asyncio

import pytest

from registry.server.bodies import Bodies, BodiesFull, BodyIncomplete, BodyTimeout
from tests.server.exchanges import SentExchange


def receive(bodies: Bodies, *chunks: bytes, length: int, delay: float = 0) -> bytes:
    return asyncio.run(bodies.receive(SentExchange(*chunks, delay=delay), length))


def test_body_is_put_together() -> None:
    bodies = Bodies()
    body = receive(bodies, b"{", b"}", length=2)
    assert body == b"{}"
    assert (bodies.receiving, bodies.bytes) == (0, 2)
    bodies.release(body)
    assert bodies.bytes == 0


def test_slow_body_is_given_up() -> None:
    bodies = Bodies(deadline=0.05)
    with pytest.raises(BodyTimeout):
        receive(bodies, *[b" "] * 1000, length=1000, delay=0.01)
    assert (bodies.receiving, bodies.bytes) == (0, 0)


@pytest.mark.parametrize("chunks", [(b"{",), (b"{", b""), ()])
def test_broken_connection_gives_no_body(chunks: tuple[bytes, ...]) -> None:
    bodies = Bodies()
    with pytest.raises(BodyIncomplete):
        receive(bodies, *chunks, length=2)
    assert (bodies.receiving, bodies.bytes) == (0, 0)


def test_bodies_beyond_the_number_are_refused() -> None:
    async def fill() -> None:
        bodies = Bodies(max_receiving=2)
        slow = [
            asyncio.create_task(bodies.receive(SentExchange(b"{}", delay=0.2), 2)) for _ in range(2)
        ]
        await asyncio.sleep(0)
        with pytest.raises(BodiesFull):
            await bodies.receive(SentExchange(b"{}"), 2)
        assert await asyncio.gather(*slow) == [b"{}", b"{}"]
        assert await bodies.receive(SentExchange(b"{}"), 2) == b"{}"

    asyncio.run(fill())


def test_bodies_beyond_the_memory_are_refused_until_one_is_released() -> None:
    bodies = Bodies(max_bytes=10)
    first = receive(bodies, b"12345678", length=8)
    with pytest.raises(BodiesFull):
        receive(bodies, b"1", b"23", length=3)
    assert bodies.bytes == 8, "nothing of the refused body is kept"
    bodies.release(first)
    assert receive(bodies, b"1", b"23", length=3) == b"123"
