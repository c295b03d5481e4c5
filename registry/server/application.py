"""The RSGI application that granian serves: every request passes through here first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from django.conf import settings

from registry.domain.errors import Code, Refused
from registry.http.names import POSITION, REFUSAL, SAFE_METHODS
from registry.http.rate_limits import RateLimited
from registry.server.bodies import Bodies, BodiesFull, BodyIncomplete, BodyTimeout
from registry.server.budgets import Budget
from registry.server.client_addresses import scope_network
from registry.server.idle_connections import IdleConnections, share_of_network
from registry.server.lane_choice import LIMITS, PACED, WRITING, LaneName, lane_of
from registry.server.lanes import Lane, LaneFull
from registry.server.large_responses import LargeResponses, ResponsesFull, is_large
from registry.server.paced_lanes import BudgetUsed, PacedLane
from registry.server.replay import NotReplayed, Replay
from registry.server.request_heads import head_refusal
from registry.server.rsgi import Exchange, RsgiScope
from registry.server.wsgi_calls import Keep, Response, WsgiApplication, call, environ

MAX_REFUSALS = 1024  # that run or wait
BUDGET_MESSAGE = "One address may take {} % of a processor for pages and lists."

Shortcut = Callable[[RsgiScope], Response | Keep | None]


class Application:
    """Receives bodies, and calls the WSGI application in a thread of the request's lane.

    `shortcut` is called on the event loop ahead of all that, and must not block. If it returns a
    response, this is the answer; if it returns a function, that is called with the response of the
    WSGI application, in a thread. `replay` makes reads wait for the write whose position they
    bring. `close` is called when the process ends.
    """

    def __init__(
        self,
        wsgi: WsgiApplication,
        *,
        shortcut: Shortcut | None = None,
        replay: Replay | None = None,
        close: Callable[[], None] | None = None,
        idle_connections: IdleConnections | None = None,
    ) -> None:
        self._wsgi = wsgi
        self._shortcut = shortcut
        self._replay = replay
        self._close = close
        self._idle_connections = idle_connections or IdleConnections(share_of_network())
        self._max_body: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        self._bodies = Bodies()
        self._large_responses = LargeResponses()
        self._lanes = {name: _lane(name) for name in LaneName}
        self._refusals = Lane(
            "refuse", threads=1, max_waiting=MAX_REFUSALS - 1, max_of_network=MAX_REFUSALS // 2
        )

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Finish the running requests; granian calls it after SIGTERM."""
        for lane in (*self._lanes.values(), self._refusals):
            lane.close()
        if self._close:
            self._close()

    async def __rsgi__(self, scope: RsgiScope, exchange: Exchange) -> None:
        """Answer one request of a client."""
        shortcut = self._shortcut(scope) if self._shortcut else None
        if isinstance(shortcut, Response):
            _send(exchange, shortcut)
        else:
            # granian's own tasks know no timeouts, which need one of asyncio's.
            with self._idle_connections.busy(scope.client):
                await asyncio.create_task(self._answer_with_django(scope, exchange, shortcut))

    async def _answer_with_django(
        self, scope: RsgiScope, exchange: Exchange, keep: Keep | None
    ) -> None:
        if refusal := head_refusal(scope):
            await self._refuse(scope, exchange, refusal)
            return
        lane = self._lanes[lane_of(scope.method, scope.path)]
        network = scope_network(scope)
        body = b""
        try:
            if self._replay and (position := scope.headers.get(POSITION.lower())):
                await self._replay.wait_for(position, network)
            if length := self._length_to_receive(scope):
                body = await self._bodies.receive(exchange, length, network)
            answer = partial(self._answer, scope, exchange, body, keep)
            response = await lane.run(answer, network)
            if response:
                await self._large_responses.send(exchange, response)
        except BodyIncomplete:
            exchange.response_empty(400, [])  # nobody listens
        except BodyTimeout:
            message = f"The body did not arrive within {self._bodies.deadline:g} seconds."
            await self._refuse(scope, exchange, Refused(Code.REQUEST_TIMEOUT, message))
        except NotReplayed:
            message = "This server has not received your last write yet; try again shortly."
            await self._refuse(scope, exchange, Refused(Code.BUSY, message))
        except BudgetUsed as error:
            refusal = RateLimited(BUDGET_MESSAGE.format(settings.PAGE_SHARE), error.seconds)
            await self._refuse(scope, exchange, refusal)
        except (BodiesFull, LaneFull, ResponsesFull):
            message = "Too many requests are waiting; try again shortly."
            await self._refuse(scope, exchange, Refused(Code.BUSY, message))
        finally:
            self._bodies.release(body, network)

    def _length_to_receive(self, scope: RsgiScope) -> int:
        """Return the Content-Length, or 0 for a body that Django rejects unread."""
        headers = scope.headers
        length = headers.get("content-length") or ""
        if scope.method in SAFE_METHODS or headers.get("transfer-encoding") is not None:
            return 0
        is_valid = length.isascii() and length.isdigit() and len(length) <= len(str(self._max_body))
        return int(length) if is_valid and int(length) <= self._max_body else 0

    def _answer(
        self, scope: RsgiScope, exchange: Exchange, body: bytes, keep: Keep | None
    ) -> Response | None:
        """Send the response from this thread; return it instead if it is large.

        The response to a write is always sent: the write has happened.
        """
        variables = environ(scope, body)
        response = call(self._wsgi, variables)
        if keep:
            keep(response, variables)
        if is_large(response) and lane_of(scope.method, scope.path) not in WRITING:
            return response
        _send(exchange, response)
        return None

    async def _refuse(self, scope: RsgiScope, exchange: Exchange, refusal: Refused) -> None:
        try:
            answer = partial(self._answer_refusal, scope, exchange, refusal)
            await self._refusals.run(answer, scope_network(scope))
        except LaneFull:
            exchange.response_empty(503, [("retry-after", "1")])

    def _answer_refusal(self, scope: RsgiScope, exchange: Exchange, refusal: Refused) -> None:
        _send(exchange, call(self._wsgi, environ(scope, b"") | {REFUSAL: refusal}))


def _lane(name: LaneName) -> Lane:
    limits = LIMITS[name]._asdict()
    if name in PACED and settings.PAGE_SHARE:
        return PacedLane(name, budget=Budget(settings.PAGE_SHARE / 100), **limits)
    return Lane(name, **limits)


def _send(exchange: Exchange, response: Response) -> None:
    exchange.response_bytes(response.status, response.headers, response.body)
