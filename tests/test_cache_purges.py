"""Purges by a worker as a process: a publication waits for none, and a kill loses none."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import FILE, copy_sqlite
from tests.purged_cache import PurgedCache, run_purged_cache
from tests.serving import Server, create_token, environment_of, publish, run_server
from tests.test_worker import execute
from tests.working import run_worker, wait_until

PURGE = ["any-tag", "acme/board"]


@pytest.fixture
def cache() -> Iterator[PurgedCache]:
    with run_purged_cache() as running:
        yield running


@pytest.fixture
def server(tmp_path: Path, cache: PurgedCache) -> Iterator[Server]:
    """Run a registry behind a cache."""
    copy_sqlite(tmp_path / FILE, loaded=True)
    with run_server(tmp_path, variables(cache)) as running:
        yield running


def variables(cache: PurgedCache) -> dict[str, str]:
    return {"REGISTRY_SHARED_CACHE": "60", "REGISTRY_PURGE_URL": cache.url}


@pytest.mark.system
def test_purge_of_a_killed_worker_is_repeated_by_the_next(
    server: Server, tmp_path: Path, cache: PurgedCache
) -> None:
    token = create_token(environment_of(tmp_path), "publish")
    with run_worker(tmp_path, variables(cache)) as worker:
        wait_until(lambda: len(cache.purges) == 2, "everything, twice")
        assert publish(server, token, "acme/board") == (201, "")
        wait_until(lambda: cache.purges[2:] == [PURGE], "the first purge")
        worker.kill()
        worker.wait()
    execute(
        tmp_path,
        "UPDATE registry_duty SET held_until = '2000-01-01' WHERE name LIKE 'purge %'",
    )
    with run_worker(tmp_path, variables(cache)):
        wait_until(lambda: cache.purges[3:] == [PURGE, PURGE], "both purges")


@pytest.mark.system
def test_hanging_cache_delays_no_publication_and_no_end_of_the_worker(
    server: Server, tmp_path: Path, cache: PurgedCache
) -> None:
    cache.is_slow.set()
    token = create_token(environment_of(tmp_path), "publish")
    with run_worker(tmp_path, variables(cache)) as worker:
        wait_until(lambda: execute(tmp_path, "SELECT 1 FROM registry_duty"), "the worker")
        start = time.monotonic()
        assert publish(server, token, "acme/board") == (201, "")
        assert time.monotonic() - start < 5
        worker.terminate()
        worker.wait(30)
