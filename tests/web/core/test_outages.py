"""Pages while the database is away, full or read-only."""

import logging
from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.test import Client

from registry import settings as registry_settings
from registry.domain.errors import Code
from registry.models import User
from registry.services.core import database_errors
from registry.services.operations import write_probe
from tests import database_faults
from tests.database_faults import failing_statements, failing_writes
from tests.web.accounts.accounts import email_enabled

__all__ = ["email_enabled"]

pytestmark = pytest.mark.django_db

PAGES = [
    *("/", "/?q=soc", "/tags/arm/soc", "/kinds/", "/kinds/llvm", "/namespaces/", "/proposals/"),
    *("/events", "/feed.atom", "/submit", "/compare", "/me", "/admin/", "/admin/registry/tag/"),
    "/api/v1/resolve/arm/soc",
]
REJECTIONS = [
    (database_faults.full, Code.STORAGE_FULL),
    (database_faults.read_only, Code.READ_ONLY),
]


@pytest.fixture
def signed_in(client: Client, alice: User) -> Client:
    """Return the client of a signed-in superuser."""
    alice.is_staff = alice.is_superuser = True
    alice.save()
    client.force_login(alice)
    return client


def assert_unavailable(response: Any, code: Code) -> None:
    assert response.status_code == 503
    assert int(response["Retry-After"]) >= 1
    assert response["Cache-Control"] == "no-store"
    assert code in response.content.decode()
    assert response["X-Request-ID"] in response.content.decode()


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_503_while_the_database_is_away(signed_in: Client, path: str) -> None:
    with failing_statements(database_faults.unreachable):
        response = signed_in.get(path)
    assert_unavailable(response, Code.BUSY)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_503_where_the_database_is_damaged(
    signed_in: Client, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with failing_statements(database_faults.damaged):
        response = signed_in.get(path)
        ready = signed_in.get("/readyz")
    assert_unavailable(response, Code.STORAGE_DAMAGED)
    assert not any(record.exc_info for record in caplog.records)
    assert "restore" in ready.json()["problems"][0]
    assert signed_in.get("/readyz").status_code == 503, "the damage is still there"


def test_probe_of_the_process_ignores_the_database(client: Client) -> None:
    with failing_statements(database_faults.unreachable):
        assert client.get("/healthz").status_code == 200
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["problems"] == ["the database does not respond"]


@pytest.mark.parametrize(("fault", "code"), REJECTIONS)
@pytest.mark.parametrize("path", PAGES)
def test_reads_need_no_write(signed_in: Client, path: str, fault: Any, code: Code) -> None:
    with failing_writes(fault):
        assert signed_in.get(path).status_code == 200


@pytest.mark.parametrize(("fault", "code"), REJECTIONS)
def test_read_that_changes_the_session_needs_no_write(
    client: Client, alice: User, fault: Any, code: Code
) -> None:
    client.post("/me/tokens", {"label": "nightly"})  # kept until the user has signed in
    client.force_login(alice)
    for _ in range(2):  # it is still there, because it could not be deleted
        with failing_writes(fault):
            response = client.get("/me/tokens")
        assert response.status_code == 200
        assert "nightly" in response.content.decode()
    assert "nightly" in client.get("/me/tokens").content.decode()
    assert "nightly" not in client.get("/me/tokens").content.decode()


@pytest.mark.parametrize(("fault", "code"), REJECTIONS)
@pytest.mark.usefixtures("acme")
def test_form_keeps_its_input(signed_in: Client, fault: Any, code: Code) -> None:
    tokens = {"label": "nightly", "scopes": ["publish"], "pattern": "acme"}
    for path, form_data, kept in (
        ("/me/tokens", tokens, "nightly"),
        ("/yank/arm/soc@1.0.0", {"reason": "a long story"}, "a long story"),
        ("/admin/registry/namespace/add/", {"name": "initech"}, "initech"),
    ):
        with failing_writes(fault):
            response = signed_in.post(path, form_data)
        assert response.status_code == 503, path
        assert response["Retry-After"] == "60"
        page = response.content.decode()
        assert kept in page
        assert "nothing was saved" in page


@pytest.mark.parametrize(("fault", "code"), REJECTIONS)
def test_sign_in_says_what_happened(client: Client, alice: User, fault: Any, code: Code) -> None:
    alice.set_password("a long enough one")
    alice.save()
    form_data = {"login": "alice", "password": "a long enough one"}
    with failing_writes(fault):
        response = client.post("/accounts/login/", form_data)
    assert_unavailable(response, code)
    assert "your input is still in the form" in response.content.decode()
    database_errors.record_write()
    write_probe._last_probe = None
    assert client.post("/accounts/login/", form_data).status_code == 302


@pytest.mark.parametrize(("fault", "code"), REJECTIONS)
@pytest.mark.usefixtures("alice")
def test_passwords_cannot_be_guessed_uncounted(client: Client, fault: Any, code: Code) -> None:
    with failing_writes(fault):
        response = client.post("/accounts/login/", {"login": "alice", "password": "a guess"})
    assert_unavailable(response, code)


@pytest.fixture
def real_limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit attempts as in production, but do not wait a second for a count that fails."""
    settings.ACCOUNT_RATE_LIMITS = registry_settings.ACCOUNT_RATE_LIMITS
    monkeypatch.setattr(ratelimit, "CACHE_LOCK_WAIT_TIMEOUT", 0)
    monkeypatch.setattr(write_probe, "_last_probe", None)


@pytest.mark.parametrize(("fault", "code"), REJECTIONS)
@pytest.mark.parametrize(
    ("method", "page"),
    [
        *(("post", "login"), ("post", "signup"), ("post", "password/reset")),
        *(("head", "login"), ("head", "signup")),
    ],
)
@pytest.mark.usefixtures("email_enabled", "real_limits")
def test_attempt_that_cannot_be_counted_is_not_called_one_too_many(
    client: Client, method: str, page: str, fault: Any, code: Code
) -> None:
    with failing_writes(fault):
        response = getattr(client, method)(f"/accounts/{page}/", {"email": "bob@example.org"})
    assert response.status_code == 503
    assert int(response["Retry-After"]) >= 1
    if method == "post":
        assert_unavailable(response, code)


def test_form_keeps_its_input_while_another_writes(signed_in: Client) -> None:
    with failing_writes(database_faults.locked):
        response = signed_in.post("/yank/arm/soc@1.0.0", {"reason": "a long story"})
    assert (response.status_code, response["Retry-After"]) == (503, "1")
    assert "a long story" in response.content.decode()
    assert "Another write is in progress" in response.content.decode()


def test_outage_is_not_logged_for_every_request(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with failing_statements(database_faults.unreachable):
        for _ in range(20):
            client.get("/kinds/")
    records = [record for record in caplog.records if record.name != "registry.access"]
    assert len(records) <= 2, "once a second"
    assert not any(record.exc_info for record in records)
    assert {record.levelno for record in records} <= {logging.WARNING}
