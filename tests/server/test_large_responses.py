"""Large responses, which clients may read slowly."""

import asyncio

import pytest

from registry.server.large_responses import CHUNK_SIZE, LargeResponses, ResponsesFull
from registry.server.wsgi_calls import Response
from tests.server.exchanges import SentExchange

BODY = b"x" * (2 * CHUNK_SIZE + 1)
RESPONSE = Response(200, [("etag", '"1"')], BODY)


def test_response_is_sent_in_chunks() -> None:
    exchange = SentExchange()
    exchange.reads.set()
    responses = LargeResponses()
    asyncio.run(responses.send(exchange, RESPONSE))
    assert (exchange.status, exchange.headers, exchange.body) == (200, RESPONSE.headers, BODY)
    assert responses.bytes == 0


def test_unread_responses_are_limited_until_one_is_read() -> None:
    async def send_three() -> None:
        responses = LargeResponses(max_bytes=2 * len(BODY))
        unread, refused = [SentExchange(), SentExchange()], SentExchange()
        sending = [asyncio.create_task(responses.send(other, RESPONSE)) for other in unread]
        await asyncio.sleep(0)
        with pytest.raises(ResponsesFull):
            await responses.send(refused, RESPONSE)
        assert refused.status == 0
        assert responses.bytes == 2 * len(BODY)
        unread[0].reads.set()
        await sending[0]
        refused.reads.set()
        await responses.send(refused, RESPONSE)
        assert refused.body == BODY
        unread[1].reads.set()
        await sending[1]
        assert responses.bytes == 0

    asyncio.run(send_three())
