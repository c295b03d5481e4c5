"""A node reads from a standby: whoever has written reads that from it, or is told to wait."""

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

import psycopg
import pytest
from django.urls import reverse

from registry.api.urls import urlpatterns
from registry.http.names import POSITION
from registry.server.replay import MAX_WAIT
from tests.clusters import loaded_cluster
from tests.nginx import nodes_behind_nginx
from tests.patience import PATIENCE
from tests.postgres import Cluster
from tests.replication import configure, kill, promote, run_standby, url_of
from tests.serving import (
    LLVM,
    Server,
    create_token,
    environment_of,
    publish,
    run_server,
    send_request,
)

LAG = 3  # seconds
TIMES = 20  # publications, each of which is read at once
TAG = "nvidia/jetson-nano"
READS_BY_POST = {  # by route
    "resolve-many": {"references": [TAG]},
    "check": {"tag": "acme/board", "target": LLVM},
    "identify": {"text": "Jetson Nano"},
    "baseline": {"machines": [TAG]},
    "runs-on-targets": {"built_for": TAG, "machine": LLVM},
}


@dataclass
class Pair:
    """A primary and its standby, each with a node."""

    primary: Cluster
    standby: Cluster
    writer: Server
    reader: Server
    token: str
    published: int = 0

    def publish(self) -> tuple[str, str]:
        """Publish a new tag; return it, and the position of that write."""
        self.published += 1
        tag = f"acme/board{self.published}"
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "If-None-Match": "*",
        }
        body = json.dumps({"target": LLVM, "message": "", "sources": []})
        with closing(HTTPConnection("127.0.0.1", self.writer.port, timeout=PATIENCE)) as http:
            http.request("POST", f"/api/v1/versions/{tag}", body, headers)
            response = http.getresponse()
            assert response.status == 201, response.read()
            return tag, response.headers[POSITION]

    def read(self, tag: str, position: str = "", *, port: int = 0) -> tuple[int, str]:
        """Resolve a tag through the reader; return the status and its `Retry-After`."""
        headers = {POSITION: position} if position else {}
        port = port or self.reader.port
        with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as http:
            http.request("GET", f"/api/v1/resolve/{tag}", headers=headers)
            response = http.getresponse()
            return response.status, response.headers["Retry-After"] or ""

    def read_written(self, tag: str, position: str) -> tuple[int, int]:
        """Resolve a tag again as often as the reader asks for it; return status and repetitions.

        On a busy machine, a standby can be further behind than the reader waits.
        """
        deadline = time.monotonic() + PATIENCE
        for repetitions in count():
            status, retry_after = self.read(tag, position)
            if status != 503:
                return status, repetitions
            assert retry_after == "1"
            assert time.monotonic() < deadline
            time.sleep(1)
        raise AssertionError("unreachable")

    def readiness(self) -> tuple[int, str]:
        response = send_request(self.reader.port, "GET", "/readyz")
        return response.status, " ".join(json.loads(response.body)["problems"])


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("standby")
    variables = {"SECRET_KEY": "for these tests only", "REGISTRY_STANDBY_LAG": str(LAG)}
    with loaded_cluster() as primary:
        of_primary = variables | {"DATABASE_URL": primary.url}
        environment = environment_of(folder) | of_primary
        token = create_token(environment, "publish", "admin")
        with run_standby(primary) as standby:
            configure(standby, f"SET wal_receiver_timeout = '{LAG}s'")
            of_standby = variables | {"DATABASE_URL": url_of(standby)}
            with (
                run_server(folder / "writer", of_primary) as writer,
                run_server(folder / "reader", of_standby) as reader,
            ):
                yield Pair(primary, standby, writer, reader, token)


@contextmanager
def replay_paused(standby: Cluster) -> Iterator[None]:
    """Let a standby receive the log and not replay it."""
    with psycopg.connect(standby.url, autocommit=True) as connection:
        connection.execute("SELECT pg_wal_replay_pause()")
        while not paused(connection):
            time.sleep(0.01)
        try:
            yield
        finally:
            connection.execute("SELECT pg_wal_replay_resume()")


def paused(connection: psycopg.Connection) -> bool:
    row = connection.execute("SELECT pg_get_wal_replay_pause_state()").fetchone()
    return row == ("paused",)


def eventually(pair: Pair, status: int) -> str:
    """Wait until the reader's `/readyz` has a status; return its problems."""
    deadline = time.monotonic() + PATIENCE
    while (readiness := pair.readiness())[0] != status:
        assert time.monotonic() < deadline, readiness
        time.sleep(0.2)
    return readiness[1]


def test_writer_reads_each_of_its_writes_at_once(pair: Pair) -> None:
    assert eventually(pair, 200) == ""
    answers = [pair.read_written(*pair.publish()) for _ in range(TIMES)]
    assert {status for status, _ in answers} == {200}
    assert 0 in {repetitions for _, repetitions in answers}


def test_writer_never_gets_an_old_answer_and_others_do_not_wait(pair: Pair) -> None:
    with replay_paused(pair.standby):
        tag, position = pair.publish()
        start = time.monotonic()
        assert pair.read(tag, position) == (503, "1")
        assert time.monotonic() - start > MAX_WAIT / 2
        durations = []
        for _ in range(5):
            start = time.monotonic()
            assert pair.read(tag)[0] == 404, "as old as the standby"
            assert pair.read("acme/board1")[0] == 200
            durations.append(time.monotonic() - start)
        assert min(durations) < MAX_WAIT, "at once"
    assert pair.read_written(tag, position)[0] == 200


def test_answers_in_memory_are_not_given_to_a_writer_whose_write_they_lack(pair: Pair) -> None:
    tag, position = pair.publish()
    assert pair.read_written(tag, position)[0] == 200
    for _ in range(3):
        assert pair.read(tag)[0] == 200, "from memory"
    with replay_paused(pair.standby):
        _, later = pair.publish()
        assert pair.read(tag)[0] == 200
        assert pair.read(tag, later)[0] == 503


def test_position_of_a_later_timeline_is_waited_for_and_an_earlier_one_is_not(pair: Pair) -> None:
    tag, position = pair.publish()
    _, _, offset = position.partition("-")
    assert pair.read_written(tag, position)[0] == 200
    assert pair.read(tag, f"999-{offset}")[0] == 503
    assert pair.read(tag, "no position")[0] == 200, "it names no write"


def test_writes_do_not_reach_the_standby(pair: Pair) -> None:
    assert publish(pair.reader, pair.token, "acme/nowhere") == (503, "READ_ONLY")
    assert send_request(pair.reader.port, "HEAD", "/accounts/login/").status == 503
    assert pair.readiness() == (200, ""), "a write that went astray is no fault of the standby"


def test_every_read_by_post_is_answered_by_the_standby(pair: Pair) -> None:
    """They have no position: there is no write in them."""
    views = {route.name: getattr(route.callback, "view_class", None) for route in urlpatterns}
    named = {name for name, view in views.items() if getattr(view, "reads_by_post", False)}
    assert named == {*READS_BY_POST, "trusted-publishing"}, "which writes"
    for name, body in READS_BY_POST.items():
        path = reverse(f"api:{name}")
        with closing(HTTPConnection("127.0.0.1", pair.reader.port, timeout=PATIENCE)) as http:
            http.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            response = http.getresponse()
            assert response.status == 200, (path, response.read())
            assert POSITION not in response.headers


def test_reads_and_failed_writes_have_no_position(pair: Pair) -> None:
    with closing(HTTPConnection("127.0.0.1", pair.writer.port, timeout=PATIENCE)) as http:
        for method, status in (("GET", 200), ("POST", 401)):
            http.request(method, f"/api/v1/versions/acme/board{1}", "{}" if status > 400 else None)
            response = http.getresponse()
            response.read()
            assert response.status == status
            assert POSITION not in response.headers


def test_nginx_sends_writes_and_whoever_waits_in_vain_to_the_primary(
    pair: Pair, tmp_path: Path
) -> None:
    nodes = [pair.writer.port, pair.reader.port]
    with nodes_behind_nginx(tmp_path, nodes, "standbys.conf") as port:
        with replay_paused(pair.standby):
            through = Server(port, 0, tmp_path / "log")
            assert publish(through, pair.token, "acme/through") == (201, "")
            assert pair.read("acme/through", port=port)[0] == 404, "the standby's answer"
            tag, position = pair.publish()
            assert pair.read(tag, position, port=port)[0] == 200, "the primary's answer"
        assert pair.read(tag, position, port=port)[0] == 200


def test_standby_that_does_not_replay_is_left_out(pair: Pair) -> None:
    with replay_paused(pair.standby):
        pair.publish()
        assert "it lacks what it has received" in eventually(pair, 503)
    eventually(pair, 200)


def test_standby_that_would_not_notice_a_cut_network_is_left_out(pair: Pair) -> None:
    configure(pair.standby, f"SET wal_receiver_timeout = '{LAG + 1}s'")
    assert "wal_receiver_timeout" in eventually(pair, 503)
    configure(pair.standby, f"SET wal_receiver_timeout = '{LAG}s'")
    eventually(pair, 200)


def test_frozen_primary_is_noticed_and_a_promoted_standby_takes_everything(pair: Pair) -> None:
    """Last: the primary does not come back."""
    tag, position = pair.publish()
    assert pair.read_written(tag, position)[0] == 200
    with pair.primary.paused():
        assert "it has lost its primary" in eventually(pair, 503)
        assert pair.read(tag, position)[0] == 200, "it has that write, and says so"
        kill(pair.primary)
    promote(pair.standby)
    assert eventually(pair, 200) == ""
    assert publish(pair.reader, pair.token, "acme/after") == (201, "")
    assert pair.read("acme/after", position)[0] == 200
