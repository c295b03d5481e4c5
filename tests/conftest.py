"""What every test shares."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from registry.models import Namespace, User
from tests.databases import FILE, new_registry
from tests.people import make_acme, make_alice
from tests.profiles import pytest_addoption, pytest_configure
from tests.servers import older_proxied_server, plain_server, proxied_server
from tests.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = [  # hooks and fixtures, for pytest
    "older_proxied_server",
    "plain_server",
    "proxied_server",
    "pytest_addoption",
    "pytest_configure",
    "pytest_make_collect_report",
    "pytest_runtest_makereport",
]

# First, so that no process is left alone with them in the end.
LONGEST = (
    "tests/web/browser/",
    "tests/docs/test_operating.py",
    "tests/api/fuzz/",
    "tests/web/core/test_roles.py",
)
# Tests of one database only.
collect_ignore_glob = ["*_sqlite.py" if connection.vendor == "postgresql" else "*_postgresql.py"]
# Pages in tests name the static files as they lie; hashed names need collectstatic.
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
# Passwords of tests are guessed by nobody; the usual hash takes half a second of the processor.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_report_header() -> str:
    return f"database: {connection.display_name}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long; leave out on PostgreSQL what does not depend on the database."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    if connection.vendor == "sqlite" or config.getoption("--thorough"):
        return
    left_out = [item for item in items if item.get_closest_marker("any_database")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in {*left_out}]


@pytest.fixture(scope="session")
def django_db_setup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every test with a database begins with the shipped catalogue, and what it adds is undone.

    On SQLite it is a file, as the server has it: databases in memory lock differently.
    """
    folder = tmp_path_factory.mktemp("database")
    usual = connection.settings_dict["NAME"]
    with new_registry(folder, loaded=True) as environment:
        connection.settings_dict["NAME"] = (
            str(folder / FILE)
            if connection.vendor == "sqlite"
            else urlsplit(environment["DATABASE_URL"]).path.removeprefix("/")
        )
        yield
        connection.close()
        getattr(connection, "close_pool", lambda: None)()  # PostgreSQL's, which would keep it open
        connection.settings_dict["NAME"] = usual


@pytest.fixture(scope="module")
def module_transaction(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep what fixtures of a module write for all of its tests, each of which undoes its own.

    A module whose tests write in other processes or threads cannot use it: it holds the lock.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests ask more in a minute than anybody may; those of the limits set their own."""
    for name in settings.RATE_LIMITS:
        monkeypatch.setitem(settings.RATE_LIMITS, name, None)
    monkeypatch.setattr(settings, "ACCOUNT_RATE_LIMITS", False, raising=False)


@pytest.fixture
def alice(db: None) -> User:
    """A person without rights of her own."""
    return make_alice()


@pytest.fixture
def acme(alice: User) -> Namespace:
    """A namespace that Alice owns."""
    return make_acme()
