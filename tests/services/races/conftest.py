"""Fixtures for races, with a database of their own, because commits cannot be rolled back."""

from collections.abc import Iterator, Mapping

import pytest

from tests.databases import new_registry
from tests.services.races.writer_pool import SIZE, WriterPool, start_writers


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """Yield the environment of a database that races share."""
    with new_registry(tmp_path_factory.mktemp("races")) as environment:
        yield environment


@pytest.fixture(scope="package")
def writers(database: Mapping[str, str]) -> Iterator[WriterPool]:
    """Start four processes that write to the shared database."""
    with start_writers(SIZE, database) as pool:
        pool.run({"job": "prepare"})
        yield pool
