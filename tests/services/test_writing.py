"""Which errors of a database pass by themselves."""

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg import errors

from registry.services.writing import is_busy


def raised(cause: Exception | None, text: str = "") -> OperationalError:
    error = OperationalError(text)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "passes"),
    [
        (errors.LockNotAvailable(), True),
        (errors.QueryCanceled(), True),
        (errors.TooManyConnections(), True),
        (errors.CannotConnectNow(), True),
        (psycopg.OperationalError("connection refused"), True),
        (errors.DiskFull(), False),
        (errors.OutOfMemory(), False),
    ],
)
def test_what_waits_passes_and_what_is_broken_does_not(
    cause: Exception, passes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    assert is_busy(raised(cause)) == passes


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("database is locked", True),
        ("database table is locked", True),
        ("disk I/O error", False),
        ("no such table: registry_tag", False),
    ],
)
def test_a_locked_file_passes(text: str, passes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "vendor", "sqlite")
    assert is_busy(raised(None, text)) == passes
