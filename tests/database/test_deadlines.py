"""Queries end with the deadline of their block; what ends a transaction does not."""

import time

import pytest
from django.db import OperationalError, connection, transaction

from registry.database import deadlines
from registry.database.deadlines import DeadlinePassed, deadline, was_cancelled
from registry.domain.errors import Code
from registry.models import Tag
from registry.services.core import database_errors
from registry.services.operations.snapshots import snapshot
from tests.services.search.test_deadlines import PATIENCE, run_endless_query

pytestmark = pytest.mark.django_db

SECONDS = 0.2


def test_running_query_is_cancelled_and_the_connection_stays_usable() -> None:
    for _ in range(2):
        start = time.monotonic()
        with pytest.raises(OperationalError) as raised, transaction.atomic(), deadline(SECONDS):
            run_endless_query()
        assert SECONDS <= time.monotonic() - start < PATIENCE
        assert was_cancelled(raised.value)
        assert Tag.objects.count() >= 0


def test_later_query_does_not_begin() -> None:
    with deadline(0), pytest.raises(DeadlinePassed) as raised:
        Tag.objects.exists()
    refusal = database_errors.refusal(raised.value)
    assert refusal
    assert refusal.code is Code.BUSY


def test_earlier_deadline_stays() -> None:
    with deadline(0):
        with deadline(PATIENCE), pytest.raises(DeadlinePassed):
            Tag.objects.exists()
        with pytest.raises(DeadlinePassed):
            Tag.objects.exists()


@pytest.mark.parametrize("seconds", [0, PATIENCE])
def test_queries_after_the_block_have_no_deadline(seconds: float) -> None:
    with deadline(seconds):
        pass
    assert not deadlines.has_passed()
    assert Tag.objects.count() >= 0


def test_transactions_and_snapshots_end_after_the_deadline() -> None:
    with pytest.raises(DeadlinePassed), transaction.atomic(), deadline(0):
        Tag.objects.exists()
    assert not connection.needs_rollback
    with pytest.raises(DeadlinePassed), snapshot(), deadline(0):
        Tag.objects.exists()
    with snapshot():
        assert Tag.objects.count() >= 0


@pytest.mark.parametrize("error", [OperationalError("database is locked"), ValueError()])
def test_other_errors_are_no_deadlines(error: Exception) -> None:
    assert not was_cancelled(error)
