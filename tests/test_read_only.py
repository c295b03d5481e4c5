"""A database that became read-only while a server runs: reads go on, writes get READ_ONLY."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.clusters import loaded_cluster
from tests.postgres import Cluster
from tests.serving import (
    Server,
    create_token,
    environment_of,
    publish,
    run_server,
    send_request,
    wait_until_ready,
)

READS = ["/", "/kinds/", "/events", "/submit", "/api/v1/kinds"]
PROBLEMS = ["the database is read-only: writes fail, reads work"]


def assert_reads_go_on(server: Server) -> None:
    for path in READS:
        assert send_request(server.port, "GET", path).status == 200, path
    assert send_request(server.port, "GET", "/healthz").status == 200
    response = send_request(server.port, "GET", "/readyz")
    assert (response.status, json.loads(response.body)["problems"]) == (503, PROBLEMS)


@contextmanager
def read_only_copy(folder: Path, place: Path) -> Iterator[Path]:
    """Mount a folder a second time, read-only, which only root may do."""
    if os.geteuid():
        pytest.skip("only root may mount a file system")
    place.mkdir()
    subprocess.run(["mount", "--bind", str(folder), str(place)], check=True)
    try:
        remount = ["mount", "-o", "remount,bind,ro", str(place)]
        subprocess.run(remount, check=True)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_read_only_file_system(tmp_path: Path) -> None:
    """Another server holds the database open, so that its wal-index is there."""
    folder = tmp_path / "registry"
    with run_server(folder, loaded=True) as writer:
        token = create_token(environment_of(folder))
        assert send_request(writer.port, "GET", "/api/v1/kinds").status == 200
        with (
            read_only_copy(folder, tmp_path / "copy") as copy,
            run_server(copy, log=tmp_path / "log") as reader,
        ):
            assert_reads_go_on(reader)
            assert publish(reader, token, "acme/board") == (503, "READ_ONLY")
            assert publish(writer, token, "acme/board") == (201, "")
            path = "/api/v1/resolve/acme/board"
            assert send_request(reader.port, "GET", path).status == 200


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    with loaded_cluster() as server:
        yield server


@pytest.mark.system
def test_read_only_postgresql(database: Cluster, tmp_path: Path) -> None:
    variables = {"DATABASE_URL": database.url, "SECRET_KEY": "for these tests only"}
    environment = environment_of(tmp_path) | variables
    token = create_token(environment)
    with (
        run_server(tmp_path, variables) as server,
        psycopg.connect(database.url, autocommit=True) as administrator,
    ):
        wait_until_ready(server)
        administrator.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        administrator.execute("SELECT pg_reload_conf()")
        assert publish(server, token, "acme/board") == (503, "READ_ONLY")
        assert_reads_go_on(server)
        administrator.execute("SET default_transaction_read_only = off")
        administrator.execute("ALTER SYSTEM RESET default_transaction_read_only")
        administrator.execute("SELECT pg_reload_conf()")
        wait_until_ready(server)
        assert publish(server, token, "acme/board") == (201, "")
