"""Servers shared by all tests, started once per run."""

from collections.abc import Iterator

import pytest

from tests.serving import Server, run_server

STALE_COUNTERS = "metrics/counter_1.db"  # left by an earlier server process


@pytest.fixture(scope="session")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with an empty database, as `make serve` starts it."""
    with run_server(tmp_path_factory.mktemp("plain")) as running:
        yield running


@pytest.fixture(scope="session")
def proxied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server behind a TLS proxy, with two processes, metrics and a JSON log."""
    variables = {"REGISTRY_METRICS": "1", "REGISTRY_LOG": "json", "REGISTRY_HTTPS": "1"}
    folder = tmp_path_factory.mktemp("proxied")
    stale = folder / STALE_COUNTERS
    stale.parent.mkdir()
    stale.write_bytes(b"x")
    with run_server(folder, variables, workers=2) as running:
        yield running


@pytest.fixture(scope="session")
def older_proxied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server behind a proxy that sends X-Forwarded headers."""
    variables = {
        "REGISTRY_PROXIES": "1",
        "REGISTRY_PROXY_HEADERS": "x-forwarded",
        "REGISTRY_LOG": "json",
    }
    with run_server(tmp_path_factory.mktemp("older"), variables) as running:
        yield running
