"""Fixtures of races: writers get their own database, because their commits cannot be undone."""

from collections.abc import Iterator, Mapping

import pytest

from tests.databases import new_registry
from tests.services.races.writer_pool import SIZE, WriterPool, start_writers


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """Return the environment of one database for all races that can share it."""
    with new_registry(tmp_path_factory.mktemp("races")) as environment:
        yield environment


@pytest.fixture(scope="package")
def writers(database: Mapping[str, str]) -> Iterator[WriterPool]:
    """Start four processes that write to the shared database."""
    with start_writers(SIZE, database) as pool:
        pool.together({"job": "prepare"})
        yield pool
