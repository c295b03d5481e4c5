"""The write lock's timeout does not outlive its transaction."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from registry.services.core import transactions


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
