"""PostgreSQL goes away and comes back while a server runs; connections run out."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest

from registry.database.postgresql.outage import NoAnswer, TrackedConnection, outage
from tests.clusters import loaded_cluster
from tests.patience import PATIENCE
from tests.postgres import Cluster
from tests.serving import Server, run_server, send_request

PAGES = ["/", "/kinds/", "/events", "/proposals/", "/api/v1/resolve/acme/x", "/api/v1/kinds"]
HANG = 30  # seconds; six without other load
POOL_TIMEOUT = 5  # registry.database.postgresql.base


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    """Start a PostgreSQL server that tests may stop."""
    with loaded_cluster() as server:
        yield server


@pytest.fixture(scope="module")
def server(database: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run the registry on that server."""
    folder = tmp_path_factory.mktemp("outage")
    variables = {"DATABASE_URL": database.url, "SECRET_KEY": "for these tests only"}
    with run_server(folder, variables) as running:
        yield running


@contextmanager
def stopped(database: Cluster) -> Iterator[None]:
    database.stop()
    try:
        yield
    finally:
        database.start()


def statuses(server: Server, *paths: str) -> list[int]:
    return [send_request(server.port, "GET", path).status for path in paths]


def wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + PATIENCE
    while statuses(server, "/readyz", *PAGES) != [200, 200, 200, 200, 200, 404, 200]:
        assert time.monotonic() < deadline, "it did not recover"
        time.sleep(0.1)


def test_outage_and_recovery(server: Server, database: Cluster) -> None:
    wait_until_ready(server)
    with stopped(database):
        assert statuses(server, *PAGES) == [503] * len(PAGES)
        assert statuses(server, "/healthz", "/readyz") == [200, 503]
        page = send_request(server.port, "GET", "/kinds/").body.decode()
    assert "The database is not available" in page
    assert "Request <code>" in page
    wait_until_ready(server)


def test_requests_of_an_outage_do_not_wait_for_the_pool(server: Server, database: Cluster) -> None:
    """With its one thread for pages, waiting for the pool each time would take eight minutes."""
    wait_until_ready(server)
    with stopped(database), ThreadPoolExecutor(8) as clients:
        start = time.monotonic()
        responses = list(clients.map(lambda _: statuses(server, "/kinds/")[0], range(100)))
        duration = time.monotonic() - start
        assert statuses(server, "/healthz") == [200]
    assert responses == [503] * 100
    assert duration < 100 * POOL_TIMEOUT / 4 / 4
    wait_until_ready(server)


def test_database_that_does_not_answer_is_an_outage_until_it_does(
    server: Server, database: Cluster
) -> None:
    """Twenty requests would hold all threads until the end of the fault."""
    wait_until_ready(server)
    with database.paused(), ThreadPoolExecutor(20) as clients:
        responses = list(clients.map(lambda path: statuses(server, path)[0], PAGES * 4))
        start = time.monotonic()
        assert statuses(server, "/healthz", *PAGES) == [200, *[503] * len(PAGES)]
        assert time.monotonic() - start < HANG
    assert set(responses) == {503}
    wait_until_ready(server)


def test_long_query_of_a_server_that_answers_is_not_interrupted(database: Cluster) -> None:
    with TrackedConnection.connect(database.url) as connection:
        assert connection.execute("SELECT 1 FROM pg_sleep(0.5)").fetchone() == (1,)


def test_query_is_given_up_and_its_connection_closed_while_the_server_hangs(
    database: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TrackedConnection.connect(database.url) as connection:
        monkeypatch.setattr(outage, "is_hanging", True)
        with monkeypatch.context() as patient:  # on a busy machine, an answer takes long, too
            patient.setattr(connection, "wait", partial(connection.wait, interval=PATIENCE))
            answer = connection.execute("SELECT 1").fetchone()
        assert answer == (1,), "an answer that is there counts"
        with pytest.raises(NoAnswer):
            connection.execute("SELECT pg_sleep(60)")
        assert connection.closed


@pytest.mark.system
@pytest.mark.usefixtures("server")  # which migrates the database
def test_server_that_starts_during_an_outage(database: Cluster, tmp_path: Path) -> None:
    variables = {"DATABASE_URL": database.url, "SECRET_KEY": "for these tests only"}
    database.stop()
    try:
        with run_server(tmp_path, variables) as running:
            assert statuses(running, "/healthz", "/readyz", "/") == [200, 503, 503]
            database.start()
            wait_until_ready(running)
    finally:
        database.stop()
        database.start()


def test_every_connection_in_use_elsewhere_is_busy(server: Server, database: Cluster) -> None:
    wait_until_ready(server)
    with psycopg.connect(database.url, autocommit=True) as administrator:
        administrator.execute("ALTER SYSTEM SET max_connections = 8")
        administrator.execute("ALTER SYSTEM SET superuser_reserved_connections = 0")
    database.stop()
    database.start()
    connections: list[psycopg.Connection] = []
    try:
        with suppress(psycopg.OperationalError):
            connections.extend(psycopg.connect(database.url) for _ in range(9))
        assert 0 < len(connections) < 9
        response = send_request(server.port, "GET", "/api/v1/kinds")
        assert (response.status, response.code) == (503, "BUSY")
        assert statuses(server, "/kinds/", "/healthz", "/readyz") == [503, 200, 503]
    finally:
        for connection in connections:
            connection.close()
    wait_until_ready(server)
