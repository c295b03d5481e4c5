"""The write lock's timeouts, which do not outlive its transaction."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from registry.domain.errors import Code, Refused
from registry.models import Event
from registry.services.core import transactions
from tests.patience import PATIENCE


@pytest.mark.django_db
def test_process_that_stops_loses_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    def write_slowly() -> str:
        try:
            with transactions.write_lock():
                deadline = time.monotonic() + PATIENCE
                while time.monotonic() < deadline:
                    time.sleep(0.5)  # idle for longer than the timeout
                    Event.objects.count()
            return ""
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()

    monkeypatch.setattr(transactions, "IDLE_TIMEOUT", "100ms")
    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(write_slowly).result() == Code.BUSY


def timeout_after_a_write() -> str:
    """Return `lock_timeout` of a new connection after a write has committed on it."""
    try:
        with transactions.write_lock():
            pass
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            (timeout,) = cursor.fetchone()
            return str(timeout)
    finally:
        connection.close()


@pytest.mark.django_db
def test_lock_timeout_ends_with_the_transaction() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(timeout_after_a_write).result() == "0"
