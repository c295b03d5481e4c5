"""Counts of resolved tags in a real server, which writes them in the background."""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.databases import FILE
from tests.patience import PATIENCE
from tests.serving import Server, run_server, send_request

PATH = "/api/v1/resolve/arm/soc"


def resolve(server: Server, times: int = 1) -> None:
    for _ in range(times):
        assert send_request(server.port, "GET", PATH).status == 200


@contextmanager
def database(var: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(var / FILE, isolation_level=None)) as connection:
        yield connection


def stored(var: Path) -> int:
    """Return how often tags were resolved, as stored."""
    with database(var) as connection:
        (count,) = connection.execute("SELECT sum(resolves) FROM registry_dailyusage").fetchone()
        return count or 0


def wait_for_count(var: Path, expected: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while stored(var) != expected:
        assert time.monotonic() < deadline, stored(var)
        time.sleep(0.2)


def workers(server: Server) -> list[int]:
    """Return the processes that answer requests."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    return [int(pid) for pid in children.read_text().split()]


def test_counts_are_written_in_the_background_and_at_the_end(tmp_path: Path) -> None:
    with run_server(tmp_path, loaded=True, workers=2) as server:
        resolve(server, 3)
        wait_for_count(tmp_path, 3)
        resolve(server, 2)
    assert stored(tmp_path) == 5


@pytest.mark.system
def test_a_crash_loses_only_what_was_not_written_yet(tmp_path: Path) -> None:
    with run_server(tmp_path, loaded=True) as server:
        resolve(server, 3)
        wait_for_count(tmp_path, 3)
        (worker,) = workers(server)
        os.kill(worker, signal.SIGKILL)
    assert stored(tmp_path) == 3


@pytest.mark.system
def test_requests_and_counts_survive_a_long_write(tmp_path: Path) -> None:
    with run_server(tmp_path, {"REGISTRY_LOG": "json"}, loaded=True) as server:
        with database(tmp_path) as writer:
            writer.execute("BEGIN IMMEDIATE")
            resolve(server, 3)
            wait_until_busy(server)
            resolve(server)
            assert stored(tmp_path) == 0
            writer.execute("COMMIT")
        wait_for_count(tmp_path, 4)


def wait_until_busy(server: Server) -> None:
    """Wait for a flush that did not get the write lock."""
    deadline = time.monotonic() + PATIENCE
    while not server.lines("registry.services.core.database_errors"):
        assert time.monotonic() < deadline, server.log.read_text()
        time.sleep(0.2)
    (line,) = server.lines("registry.services.core.database_errors")
    assert json.dumps(line["message"]).startswith('"BUSY')
