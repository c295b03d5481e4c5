"""Fixtures of tests that read or write every tag."""

from collections.abc import Iterator

import pytest

from tests.databases import connected_to_new_registry


@pytest.fixture(scope="package")
def django_db_setup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use a database with few tags."""
    with connected_to_new_registry(tmp_path_factory.mktemp("database"), loaded="few"):
        yield
