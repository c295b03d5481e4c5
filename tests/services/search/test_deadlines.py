"""Queries that take too long are cancelled."""

import time
from itertools import count

import pytest
from django.db import OperationalError, connection, transaction

from registry.domain.errors import Code, Refused
from registry.models import Tag
from registry.services.search import deadlines
from registry.services.search.deadlines import time_limit
from tests.patience import PATIENCE
from tests.services.search.searches import search

pytestmark = pytest.mark.django_db

SECONDS = 0.2
ENDLESS_QUERIES = {
    "sqlite": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT * FROM n",
    "postgresql": "SELECT pg_sleep(60)",
}


def run_endless_query() -> None:
    with connection.cursor() as cursor:
        cursor.execute(ENDLESS_QUERIES[connection.vendor])
        assert all(cursor)


def assert_busy_in_time() -> None:
    start = time.monotonic()
    with pytest.raises(Refused) as refused, time_limit(SECONDS):
        run_endless_query()
    assert refused.value.code == Code.BUSY
    assert "0.2 s" in refused.value.detail
    assert SECONDS <= time.monotonic() - start < PATIENCE


def test_slow_query_is_cancelled_and_the_connection_stays_usable() -> None:
    for _ in range(2):
        assert_busy_in_time()
        assert Tag.objects.exists()
        with time_limit(PATIENCE):
            assert Tag.objects.exists()


def test_surrounding_transaction_can_be_committed() -> None:
    with transaction.atomic():
        assert_busy_in_time()
        assert Tag.objects.exists()


def test_time_of_several_queries_adds_up() -> None:
    with pytest.raises(Refused) as refused, time_limit(0.05):
        all(Tag.objects.exists() for _ in count())
    assert refused.value.code == Code.BUSY


def test_limit_ends_with_the_block() -> None:
    with time_limit(0.05):
        pass
    time.sleep(0.1)
    assert Tag.objects.count() == len(Tag.objects.all())


def test_other_database_errors_are_raised() -> None:
    with pytest.raises(OperationalError, match="locked"), time_limit(SECONDS):
        raise OperationalError("database is locked")


def test_slow_search_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "MAX_SECONDS", 1e-9)
    with pytest.raises(Refused) as refused:
        search("a", "kind=llvm")
    assert refused.value.code == Code.BUSY
    monkeypatch.undo()
    assert search("jetson nano").entries
