"""Requests ahead of Django: bodies, threads, refusals and the shortcut."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.conf import settings

from registry.domain.errors import Refused
from registry.http.names import REFUSAL
from registry.server import application as module, paced_lanes
from registry.server.application import Application
from registry.server.bodies import Bodies
from registry.server.lane_choice import PACED, PREVIEWING_POSTS, RESOLVING_POSTS, LaneName, lane_of
from registry.server.lanes import Lane
from registry.server.large_responses import MIN_SIZE, LargeResponses
from registry.server.paced_lanes import PacedLane
from registry.server.wsgi_calls import Environ, Response
from registry.wsgi import application as registry_wsgi
from tests.server.exchanges import Header, SentExchange, SentHeaders, SentScope, scope

JSON: Header = ("content-type", "application/json")


def length(number: object) -> Header:
    return ("content-length", str(number))


class Recorder:
    """A WSGI application that records the environments of its requests."""

    def __init__(self) -> None:
        self.seen: list[Environ] = []

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        self.seen.append(environ)
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]


def send(app: Application, sent: SentScope, *chunks: bytes, delay: float = 0) -> SentExchange:
    exchange = SentExchange(*chunks, delay=delay)
    asyncio.run(app.__rsgi__(sent, exchange))
    return exchange


def test_body_is_received_before_the_application_runs() -> None:
    exchange = send(Application(Recorder()), scope("POST", "/", length(2)), b"{", b"}")
    assert (exchange.status, exchange.body) == (200, b"{}")


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", [length(2)]),
        ("HEAD", [length(2)]),
        ("POST", []),
        ("POST", [length(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)]),
        ("POST", [length("9" * 5000)]),
        ("POST", [length("two")]),
        ("POST", [length("-1")]),
        ("POST", [length(2), ("transfer-encoding", "chunked")]),
    ],
)
def test_body_that_django_will_not_read_is_not_received(method: str, headers: list[Header]) -> None:
    exchange = send(Application(Recorder()), scope(method, "/", *headers), b"{}")
    assert (exchange.status, exchange.body) == (200, b"")
    assert not exchange.is_read


def test_shortcut_answers_ahead_of_the_application() -> None:
    recorder = Recorder()
    memory = {"/known": Response(200, [("etag", '"1"')], b"stored")}
    app = Application(recorder, shortcut=lambda sent: memory.get(sent.path))
    assert send(app, scope("GET", "/known")).body == b"stored"
    assert recorder.seen == []
    assert send(app, scope("GET", "/unknown")).body == b""
    assert len(recorder.seen) == 1


def test_broken_connection_never_reaches_the_application() -> None:
    recorder = Recorder()
    assert send(Application(recorder), scope("POST", "/", length(9)), b"{").status == 400
    assert recorder.seen == []


def test_slow_body_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(module, "Bodies", lambda: Bodies(deadline=0.05))
    app = Application(recorder)
    send(app, scope("POST", "/", length(100)), *[b" "] * 100, delay=0.01)
    assert refusal(recorder) == "REQUEST_TIMEOUT"
    assert send(app, scope("POST", "/", length(2)), b"{}").body == b"{}"


def test_bodies_beyond_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(module, "Bodies", lambda: Bodies(max_bytes=1))
    send(Application(recorder), scope("POST", "/", length(2)), b"{}")
    assert refusal(recorder) == "BUSY"


def test_large_response_is_refused_while_too_many_are_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorder = Recorder()
    monkeypatch.setattr(module, "LargeResponses", lambda: LargeResponses(max_bytes=MIN_SIZE))
    app = Application(recorder)
    small, large = b"x" * (MIN_SIZE - 1), b"x" * (MIN_SIZE + 1)
    for path in RESOLVING_POSTS | PREVIEWING_POSTS:
        assert send(app, scope("POST", path, length(len(small))), small).body == small
        recorder.seen.clear()
        send(app, scope("POST", path, length(len(large))), large)
        assert recorder.seen[1][REFUSAL].code == "BUSY"
    assert send(app, scope("POST", "/written", length(len(large))), large).body == large


def refusal(recorder: Recorder) -> str:
    """Return the code with which the only request was refused."""
    (environ,) = recorder.seen
    refused = environ[REFUSAL]
    assert isinstance(refused, Refused)
    return refused.code


def one_at_a_time(name: str, **_: object) -> Lane:
    return Lane(name, threads=1, max_waiting=1, max_of_network=2)


REQUESTS = {
    LaneName.RESOLVE: ("GET", "/api/v1/resolve/arm/soc"),
    LaneName.PAGE: ("GET", "/"),
    LaneName.PREVIEW: ("POST", "/api/v1/check"),
    LaneName.ACCOUNT: ("POST", "/accounts/login/"),
    LaneName.PROVIDER: ("POST", "/accounts/provider/login/"),
    LaneName.WRITE: ("PUT", "/"),
}


@pytest.mark.parametrize("full", LaneName)
def test_a_full_lane_is_refused_and_others_go_on(
    monkeypatch: pytest.MonkeyPatch, full: LaneName
) -> None:
    monkeypatch.setattr(module, "Lane", one_at_a_time)
    monkeypatch.setattr(settings, "PAGE_SHARE", 0)

    async def overload() -> None:
        go_on = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wsgi(environ: Environ, start_response: Any) -> list[bytes]:
            lane = lane_of(environ["REQUEST_METHOD"], environ["PATH_INFO"])
            if lane is full and REFUSAL not in environ:
                asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
            start_response("503 X" if REFUSAL in environ else "200 OK", [])
            return []

        app = Application(wsgi)

        async def request(lane: LaneName) -> int:
            exchange = SentExchange()
            await app.__rsgi__(scope(*REQUESTS[lane]), exchange)
            return exchange.status

        waiting = [asyncio.create_task(request(full)) for _ in range(2)]
        await asyncio.sleep(0)
        statuses = {lane: await request(lane) for lane in LaneName}
        assert statuses == {lane: 503 if lane is full else 200 for lane in LaneName}
        go_on.set()
        assert await asyncio.gather(*waiting) == [200, 200]

    asyncio.run(overload())


@pytest.mark.parametrize(
    "headers",
    [
        [("host", "localhost"), ("authorization", "Bearer \xff")],
        [("host", "localhost"), ("forwarded", "for=\xff")],
        [("host", "localhost"), ("host", "localhost")],
        [],
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("path", ["/api/v1/resolve/arm/soc", "/api/v1/nope", "/", "/static/x.css"])
def test_refused_heads_have_the_usual_form_and_no_body_is_received(
    method: str, path: str, headers: list[Header]
) -> None:
    sent = SentScope(method, path, headers=SentHeaders([*headers, JSON, length(2)]))
    exchange = send(Application(registry_wsgi, shortcut=lambda _: None), sent, b"{}")
    fields = {name.lower(): value for name, value in exchange.headers}
    assert exchange.status == 400
    assert fields["x-request-id"]
    assert not exchange.is_read
    if path.startswith("/api/"):
        assert fields["content-type"] == "application/problem+json"
        assert json.loads(exchange.body)["code"] == "REQUEST_INVALID"


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/api/v1/versions/a/b", "application/problem+json"), ("/submit", "text/html; charset=utf-8")],
)
def test_refusal_has_the_usual_form(
    monkeypatch: pytest.MonkeyPatch, path: str, media_type: str
) -> None:
    monkeypatch.setattr(module, "Bodies", lambda: Bodies(max_bytes=1))
    headers = (JSON, length(2), ("host", "localhost"))
    exchange = send(Application(registry_wsgi), scope("POST", path, *headers), b"{}")
    fields = {name.lower(): value for name, value in exchange.headers}
    assert exchange.status == 503
    assert fields["content-type"] == media_type
    assert fields["retry-after"] == "1"
    assert fields["x-request-id"]
    if path.startswith("/api/"):
        assert json.loads(exchange.body)["code"] == "BUSY"


@pytest.mark.parametrize("path", ["/tags/", "/api/v1/tags", "/runs-on/cuda", "/api/v1/export"])
def test_a_reader_that_has_used_its_budget_is_told_when_to_ask_again(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(settings, "PAGE_SHARE", 10)
    monkeypatch.setattr(paced_lanes, "REFUSAL", 0)
    app = Application(registry_wsgi)
    for lane in (app._lanes[name] for name in PACED):
        assert isinstance(lane, PacedLane)
        for _ in range(2):
            lane._budget.settle(lane._budget.reserve("192.0.2.1"), 10)
    exchange = send(app, scope("GET", path, ("host", "localhost")))
    fields = {name.lower(): value for name, value in exchange.headers}
    assert (exchange.status, fields["retry-after"]) == (429, "100")
    message = "One address may take 10 % of a processor for pages and lists."
    assert message in exchange.body.decode()


@pytest.mark.parametrize(
    "path", ["/api/v1/resolve/arm/soc", "/api/v1/events", "/static/site.css", "/healthz"]
)
def test_builds_and_files_have_no_budget(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(settings, "PAGE_SHARE", 10)
    app = Application(Recorder())
    lane = app._lanes[lane_of("GET", path)]
    assert not isinstance(lane, PacedLane)


def test_no_network_has_a_budget_without_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "PAGE_SHARE", 0)
    lanes = Application(Recorder())._lanes.values()
    assert not any(isinstance(lane, PacedLane) for lane in lanes)
