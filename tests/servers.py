"""The servers that tests share: each configuration is started once a run, for all modules."""

from collections.abc import Iterator

import pytest

from tests.serving import Server, served

STALE_COUNTERS = "metrics/counter_1.db"  # as a process of an earlier server left it


@pytest.fixture(scope="session")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with an empty database, as `make serve` starts it."""
    with served(tmp_path_factory.mktemp("plain")) as running:
        yield running


@pytest.fixture(scope="session")
def proxied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy that ends TLS, with two processes, counters and a log in JSON."""
    variables = {"REGISTRY_METRICS": "1", "REGISTRY_LOG": "json", "REGISTRY_HTTPS": "1"}
    folder = tmp_path_factory.mktemp("proxied")
    stale = folder / STALE_COUNTERS
    stale.parent.mkdir()
    stale.write_bytes(b"x")
    with served(folder, variables, workers=2) as running:
        yield running


@pytest.fixture(scope="session")
def older_proxied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy that only knows the headers before `Forwarded`."""
    variables = {
        "REGISTRY_PROXIES": "1",
        "REGISTRY_PROXY_HEADERS": "x-forwarded",
        "REGISTRY_LOG": "json",
    }
    with served(tmp_path_factory.mktemp("older"), variables) as running:
        yield running
