"""Fixtures and hooks of all tests."""

import gc
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from registry.domain.event_log import notes
from registry.models import Namespace, User
from registry.services.core import database_errors, memory_cache, usage
from registry.services.operations import write_probe
from registry.services.search import deadlines
from tests.any_database import MARK, is_left_out
from tests.databases import LOG_KEY, connected_to_new_registry
from tests.people import make_acme, make_alice
from tests.profiles import pytest_addoption, pytest_configure
from tests.servers import older_proxied_server, plain_server, proxied_server
from tests.sharing import pytest_xdist_make_scheduler
from tests.skips import pytest_make_collect_report, pytest_runtest_makereport
from tests.slow_files import SLOWEST

__all__ = [  # hooks and fixtures, for pytest
    "older_proxied_server",
    "plain_server",
    "proxied_server",
    "pytest_addoption",
    "pytest_configure",
    "pytest_make_collect_report",
    "pytest_runtest_makereport",
    "pytest_xdist_make_scheduler",
]

# Tests of the other database.
collect_ignore_glob = ["*_sqlite.py" if connection.vendor == "postgresql" else "*_postgresql.py"]
# Generated tags are tested in memory; databases hold the others, which tests name. Commands that
# tests run inherit the variable.
os.environ["REGISTRY_CATALOGUE"] = settings.CATALOGUE = "basic"
# What identity tokens must be for.
settings.ADDRESS = "http://testserver"
# With a contact, security.txt is a page like any other.
settings.SECURITY_CONTACTS = ["mailto:security@example.org"]
settings.SECURITY_EXPIRES = datetime(9999, 1, 1, tzinfo=UTC)
# Each test client would scan the files that `make serve` has collected in this checkout.
settings.STATIC_ROOT = None
settings.LOG_KEYS = [notes.private_key(LOG_KEY)]
# Hashed file names would require collectstatic.
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
# On a busy machine, searches take longer than they may; tests of the limits set their own.
deadlines.MAX_SECONDS = 60
# The default hasher takes half a second per password.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


# Nearly all objects of the collection live until the end; looking for others is half of its time.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage among new objects only."""
    gc.freeze()
    gc.enable()


def pytest_report_header() -> str:
    return f"database: {connection.display_name}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import on PostgreSQL the modules that its run leaves out."""
    if connection.vendor == "sqlite" or config.getoption("--thorough"):
        return None
    is_module = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return (is_module and is_left_out(collection_path.read_text())) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run slow tests first, and leave out those that were not asked for."""
    items.sort(key=lambda item: not item.nodeid.startswith(SLOWEST))
    if config.getoption("--thorough"):
        return
    # Decision 191: whole systems have a run of their own.
    is_system = config.getoption("--system")
    left_out = ["thorough"] if is_system else ["thorough", "system"]
    left_out += [MARK] if connection.vendor == "postgresql" else []
    chosen: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        is_left_out = any(map(item.get_closest_marker, left_out))
        is_other = is_system and not item.get_closest_marker("system")
        (deselected if is_left_out or is_other else chosen).append(item)
    config.hook.pytest_deselected(items=deselected)
    items[:] = chosen


@pytest.fixture(scope="session")
def django_db_setup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start every test with the shipped catalogue, and roll back its changes.

    SQLite uses a file, as in production, because in-memory databases lock differently.
    """
    with connected_to_new_registry(tmp_path_factory.mktemp("database"), loaded=True):
        yield


@pytest.fixture(scope="module")
def module_transaction(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep the rows that module fixtures write, until the end of the module.

    Not for tests that write in other processes or threads: it holds the lock.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def log_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the last checkpoint: not that of this checkout's own registry."""
    return tmp_path_factory.mktemp("log")


@pytest.fixture(autouse=True)
def as_in_a_new_process(monkeypatch: pytest.MonkeyPatch, log_folder: Path) -> None:
    """Start each test without what others have left in this process, and without rate limits.

    That are results in memory, writes that failed, the checkpoint of events that were rolled back,
    and counted requests. One fixture, because each costs a second or two in all tests.
    """
    for name in settings.RATE_LIMITS:
        monkeypatch.setitem(settings.RATE_LIMITS, name, None)
    monkeypatch.setattr(settings, "ACCOUNT_RATE_LIMITS", False, raising=False)
    memory_cache.cache.clear()
    monkeypatch.setattr(database_errors, "_failure", None)
    monkeypatch.setattr(write_probe, "_last_probe", None)
    settings.LOG_CHECKPOINT_FILE = log_folder / "log-checkpoint"
    settings.LOG_CHECKPOINT_FILE.unlink(missing_ok=True)
    monkeypatch.setattr(usage, "_counts", {})
    monkeypatch.setattr(usage, "_last_upkeep", None)


@pytest.fixture
def alice(db: None) -> User:
    """Return a user without rights."""
    return make_alice()


@pytest.fixture
def acme(alice: User) -> Namespace:
    """Return a namespace that Alice owns."""
    return make_acme()
