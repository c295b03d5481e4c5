"""What every test shares."""

import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from registry.api import throttling
from registry.models import Namespace, Role, User
from registry.services import naming
from registry.services.shipping import catalogue
from tests.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]  # hooks, for pytest

# Pages in tests name the static files as they lie; hashed names need collectstatic.
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
# Passwords of tests are guessed by nobody; the usual hash takes half a second of the processor.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_report_header() -> str:
    return f"database: {connection.display_name}"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests use a file, as the server does: databases in memory lock differently."""
    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "registry.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(path)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Every test with a database begins with the shipped catalogue, and what it adds is undone."""
    with django_db_blocker.unblock():
        catalogue.load()


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests ask more in a minute than anybody may; those of the limits set their own."""
    for scope in throttling.RATES:
        monkeypatch.setitem(throttling.RATES, scope, None)
    monkeypatch.setattr(settings, "ACCOUNT_RATE_LIMITS", False, raising=False)


@pytest.fixture
def alice(db: None) -> User:
    """A person without rights of her own."""
    return User.objects.create_user("alice")


@pytest.fixture
def acme(alice: User) -> Namespace:
    """A namespace that Alice owns."""
    namespace = naming.make_namespace("acme", actor=alice, title="Acme")
    naming.grant(namespace, alice, Role.OWNER, actor=alice)
    return namespace
