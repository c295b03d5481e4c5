"""The write lock, and the classification of database errors."""

import ast
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg import errors

from registry.services.core import transactions
from registry.services.core.transactions import is_transient_error

SERVICES = Path(transactions.__file__).parents[1]


def operational_error(cause: Exception | None, text: str = "") -> OperationalError:
    error = OperationalError(text)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "is_transient"),
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
def test_transient_errors_on_postgresql(
    cause: Exception, is_transient: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    assert is_transient_error(operational_error(cause)) == is_transient


@pytest.mark.parametrize(
    ("text", "is_transient"),
    [
        ("database is locked", True),
        ("database table is locked", True),
        ("disk I/O error", False),
        ("no such table: registry_tag", False),
    ],
)
def test_transient_errors_on_sqlite(
    text: str, is_transient: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "vendor", "sqlite")
    assert is_transient_error(operational_error(None, text)) == is_transient


# Functions that take the write lock without a permission, each with the reason.
WITHOUT_PERMISSION = {
    "core.transactions.authorized_write": "checks the permission",
    "accounts.users.create_admin": "run by the operator",
    "accounts.users.sign_up": "visitors create their own accounts",
    "accounts.users.record_email_change": "logs what allauth has written",
    "accounts.users.record_factor_added": "logs what allauth has written",
    "accounts.users.record_factor_removed": "logs what allauth has written",
    "tags.renaming.rename_tag": "the services that it calls check",
    "proposals.bulk_review._accept": "accepting a proposal checks",
    "catalogue.loading.load_catalogue": "run by the operator",
    "catalogue.loading.plan_load": "run by the operator",
    "search.indexing.rebuild_index": "recomputes derived rows",
    "operations.linting.lint_all": "run by the operator",
    "operations.linting._lint_batch": "recomputes derived rows",
    "operations.rebuild.rebuild_derived": "recomputes derived rows",
    "operations.redaction.redact": "run by the operator",
    "operations.restore.restore": "run by the operator",
}


def functions_calling_write_lock() -> set[str]:
    """Return every function of the services that calls `write_lock`."""
    names = set()
    for path in SERVICES.rglob("*.py"):
        module = ".".join(path.relative_to(SERVICES).with_suffix("").parts)
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(node, ast.Call) and ast.unparse(node.func).endswith("write_lock")
                for node in ast.walk(function)
            ):
                names.add(f"{module}.{function.name}")
    return names


def test_every_other_write_checks_a_permission_under_the_lock() -> None:
    assert functions_calling_write_lock() == WITHOUT_PERMISSION.keys()
