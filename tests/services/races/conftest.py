"""A database of its own for writers: what they commit cannot be rolled back, nor deleted."""

from collections.abc import Iterator, Mapping

import pytest

from tests.databases import new_registry
from tests.services.races.writer_pool import SIZE, Crew, crew


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """One database for all races but those over the whole of it."""
    with new_registry("registry-races", tmp_path_factory.mktemp("races")) as environment:
        yield environment


@pytest.fixture(scope="package")
def writers(database: Mapping[str, str]) -> Iterator[Crew]:
    """Four processes that write to it."""
    with crew(SIZE, database) as found:
        found.together({"job": "prepare"})
        yield found
