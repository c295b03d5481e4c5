"""More pages of SQLite in memory for the duration of a block."""

import pytest
from django.db import connection, transaction

from registry.database.page_cache import LARGE, large_page_cache

pytestmark = pytest.mark.django_db


def cache_size() -> int:
    """Return SQLite's setting: a number of pages, or negative: of KiB."""
    with connection.cursor() as cursor:
        size: int = cursor.execute("PRAGMA cache_size").fetchone()[0]
    return size


@pytest.fixture(autouse=True)
def sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has a cache of its own")


def test_cache_is_large_within_the_block_only() -> None:
    before = cache_size()
    with large_page_cache():
        assert cache_size() == -1024 * LARGE != before
    assert cache_size() == before


def test_cache_is_small_again_after_an_error() -> None:
    before = cache_size()
    with pytest.raises(ValueError, match="broken"), large_page_cache(), transaction.atomic():
        raise ValueError("broken")
    assert cache_size() == before
