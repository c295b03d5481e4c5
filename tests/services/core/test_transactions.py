"""The write lock: who holds it, and which errors of a database pass by themselves."""

import ast
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg import errors

from registry.services.core import transactions
from registry.services.core.transactions import is_transient_error

SERVICES = Path(transactions.__file__).parent


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
    assert is_transient_error(raised(cause)) == passes


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
    assert is_transient_error(raised(None, text)) == passes


# Functions that hold the write lock without a permission, each with the reason.
UNCHECKED = {
    "writing.authorized_write": "checks the permission",
    "accounts.make_admin": "the operator's",
    "accounts.join": "people make their own accounts",
    "accounts.email_changed": "logs what allauth has written",
    "accounts.factor_added": "logs what allauth has written",
    "accounts.factor_removed": "logs what allauth has written",
    "renaming.rename": "its parts check theirs",
    "reviewing.bulk._accepted": "accepting checks",
    "shipping.catalogue.load": "the operator's",
    "shipping.catalogue.plan": "the operator's",
    "search.indexing.rebuild": "derives what search looks at",
    "operation.deriving.derive": "derives what search looks at",
    "operation.redacting.redact": "the operator's",
    "operation.restoring.restore": "the operator's",
}


def holders_of_the_bare_lock() -> set[str]:
    """Find every function of the services that calls `exclusive` itself."""
    found = set()
    for path in SERVICES.rglob("*.py"):
        module = ".".join(path.relative_to(SERVICES).with_suffix("").parts)
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(node, ast.Call) and ast.unparse(node.func).endswith("exclusive")
                for node in ast.walk(function)
            ):
                found.add(f"{module}.{function.name}")
    return found


def test_every_other_write_checks_a_permission_under_the_lock() -> None:
    assert holders_of_the_bare_lock() == UNCHECKED.keys()
