"""Receiving bodies within limits on time, number and memory."""

import asyncio

import pytest

from registry.server.bodies import Bodies, BodiesFull, BodyIncomplete, BodyTimeout
from tests.server.exchanges import SentExchange

NETWORK, OTHER = "192.0.2.1", "192.0.2.2"


def receive(
    bodies: Bodies, *chunks: bytes, length: int, delay: float = 0, network: str = NETWORK
) -> bytes:
    return asyncio.run(bodies.receive(SentExchange(*chunks, delay=delay), length, network))


def test_body_is_put_together() -> None:
    bodies = Bodies()
    body = receive(bodies, b"{", b"}", length=2)
    assert body == b"{}"
    assert (bodies.receiving.used, bodies.bytes.used) == (0, 2)
    bodies.release(body, NETWORK)
    assert bodies.bytes.used == 0


def test_slow_body_is_given_up() -> None:
    bodies = Bodies(deadline=0.05)
    with pytest.raises(BodyTimeout):
        receive(bodies, *[b" "] * 1000, length=1000, delay=0.01)
    assert (bodies.receiving.used, bodies.bytes.used) == (0, 0)


@pytest.mark.parametrize("chunks", [(b"{",), (b"{", b""), ()])
def test_broken_connection_gives_no_body(chunks: tuple[bytes, ...]) -> None:
    bodies = Bodies()
    with pytest.raises(BodyIncomplete):
        receive(bodies, *chunks, length=2)
    assert (bodies.receiving.used, bodies.bytes.used) == (0, 0)


@pytest.mark.parametrize("senders", [(NETWORK, OTHER), (OTHER, NETWORK)])
def test_bodies_beyond_the_number_are_refused(senders: tuple[str, str]) -> None:
    async def fill() -> None:
        bodies = Bodies(max_receiving=2)
        slow = [
            asyncio.create_task(bodies.receive(SentExchange(b"{}", delay=0.2), 2, sender))
            for sender in senders
        ]
        await asyncio.sleep(0)
        with pytest.raises(BodiesFull):
            await bodies.receive(SentExchange(b"{}"), 2, "192.0.2.3")
        assert await asyncio.gather(*slow) == [b"{}", b"{}"]
        assert await bodies.receive(SentExchange(b"{}"), 2, NETWORK) == b"{}"

    asyncio.run(fill())


def test_a_network_has_half_of_the_bodies_and_others_are_received() -> None:
    async def fill() -> None:
        bodies = Bodies(max_receiving=4)
        slow = [
            asyncio.create_task(bodies.receive(SentExchange(b"{}", delay=0.2), 2, NETWORK))
            for _ in range(2)
        ]
        await asyncio.sleep(0)
        with pytest.raises(BodiesFull):
            await bodies.receive(SentExchange(b"{}"), 2, NETWORK)
        assert await bodies.receive(SentExchange(b"{}"), 2, OTHER) == b"{}"
        assert await asyncio.gather(*slow) == [b"{}", b"{}"]

    asyncio.run(fill())


def test_bodies_beyond_the_memory_are_refused_until_one_is_released() -> None:
    bodies = Bodies(max_bytes=16)
    first = receive(bodies, b"12345678", length=8)
    with pytest.raises(BodiesFull):
        receive(bodies, b"1", length=1)
    assert receive(bodies, b"12345", length=5, network=OTHER) == b"12345"
    with pytest.raises(BodiesFull):
        receive(bodies, b"12", b"34", length=4, network="192.0.2.3")
    assert bodies.bytes.used == 13, "nothing of the refused bodies is kept"
    bodies.release(first, NETWORK)
    assert receive(bodies, b"1", b"23", length=3) == b"123"
