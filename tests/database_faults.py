"""Errors of the database, as Django raises them for the driver's errors."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import DatabaseError, connection, utils
from psycopg import errors


def sqlite_error(error_code: int, message: str = "from SQLite") -> DatabaseError:
    """Return Django's error for a code of SQLite."""
    cause = sqlite3.OperationalError(message)
    cause.sqlite_errorcode = error_code
    return wrapped(cause)


def wrapped(cause: Exception) -> DatabaseError:
    """Return Django's error for an error of a driver: that of the same name."""
    names = [base.__name__ for base in type(cause).__mro__]
    error: DatabaseError = next(getattr(utils, name) for name in names if hasattr(utils, name))(
        *cause.args
    )
    error.__cause__ = cause
    return error


def locked() -> DatabaseError:
    """Return the error of a lock that was not available in time."""
    return _of(sqlite3.SQLITE_BUSY, errors.LockNotAvailable("from PostgreSQL"))


def full() -> DatabaseError:
    """Return the error of a write to a full disk."""
    return _of(sqlite3.SQLITE_FULL, errors.DiskFull("from PostgreSQL"))


def read_only() -> DatabaseError:
    """Return the error of a write to a read-only database."""
    return _of(sqlite3.SQLITE_READONLY, errors.ReadOnlySqlTransaction("from PostgreSQL"))


def unreachable() -> DatabaseError:
    """Return the error of a connection that cannot be opened."""
    return _of(sqlite3.SQLITE_CANTOPEN, psycopg.OperationalError("connection refused"))


def damaged() -> DatabaseError:
    """Return the error of a page that cannot be read."""
    return _of(sqlite3.SQLITE_CORRUPT, errors.DataCorrupted("from PostgreSQL"))


def broken() -> DatabaseError:
    """Return an error that the state of the database does not explain."""
    return _of(sqlite3.SQLITE_MISMATCH, errors.DatatypeMismatch("from PostgreSQL"))


def _of(error_code: int, postgresql_error: psycopg.Error) -> DatabaseError:
    is_sqlite = connection.vendor == "sqlite"
    return sqlite_error(error_code) if is_sqlite else wrapped(postgresql_error)


WRITES = ("INSERT", "UPDATE", "DELETE")


@contextmanager
def failing_writes(fault: Callable[[], DatabaseError]) -> Iterator[None]:
    """Raise an error for every statement that changes rows."""
    with _failing(fault, WRITES):
        yield


@contextmanager
def failing_statements(fault: Callable[[], DatabaseError]) -> Iterator[None]:
    """Raise an error for every statement."""
    with _failing(fault, ("",)):
        yield


@contextmanager
def _failing(fault: Callable[[], DatabaseError], prefixes: tuple[str, ...]) -> Iterator[None]:
    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if sql.lstrip().startswith(prefixes):
            raise fault()
        return run(sql, *arguments)

    with connection.execute_wrapper(execute):
        yield
