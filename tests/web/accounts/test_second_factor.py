"""Second factors: authenticator apps and recovery codes."""

import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from registry import settings as registry_settings
from registry.models import Event, User
from tests.web.accounts.accounts import create_user, is_signed_in, reauthenticate, sign_in

pytestmark = pytest.mark.django_db
APP = "/accounts/2fa/totp/activate/"


def current_code(secret: str) -> str:
    """Return the code that an app shows now, which the next half minute accepts, too."""
    _, counter, _ = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, counter))


@pytest.fixture
def bob(db: None) -> User:
    return create_user()


@pytest.fixture
def secret(
    client: Client, bob: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> str:
    """Sign Bob in, set up an app, and return its secret."""
    sign_in(client, "bob")
    reauthenticate(client, client.get(APP))
    page = client.get(APP).content.decode()
    (secret,) = re.findall(r'<code class="secret">(\w+)</code>', page)
    assert '<svg class="qr"' in page
    assert "data:" not in page
    with django_capture_on_commit_callbacks(execute=True):
        client.post(APP, {"code": current_code(secret)})
    return str(secret)


def factor_events() -> list[tuple[str, str]]:
    events = Event.objects.filter(action__startswith="account.factor")
    return [(event.action, json.loads(event.detail)["factor"]) for event in events]


def test_events_of_a_new_app_do_not_contain_the_secret(secret: str) -> None:
    assert factor_events() == [
        ("account.factor_added", "totp"),
        ("account.factor_added", "recovery_codes"),
    ]
    assert not Event.objects.filter(detail__contains=secret).exists()


def test_sign_in_needs_password_and_code(secret: str) -> None:
    other = Client()
    assert sign_in(other, "bob").headers["Location"] == "/accounts/2fa/authenticate/"
    assert not is_signed_in(other)
    response = other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert response.status_code == 400
    assert "This code is incorrect" in response.content.decode()
    other.post("/accounts/2fa/authenticate/", {"code": current_code(secret)})
    assert is_signed_in(other)


@pytest.mark.usefixtures("secret")
def test_recovery_code_works_once(client: Client) -> None:
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    codes = re.findall(r"<li><code>(\d{8})</code></li>", page)
    assert len(codes) == 10
    for expected in (True, False):
        other = Client()
        sign_in(other, "bob")
        other.post("/accounts/2fa/authenticate/", {"code": codes[0]})
        assert is_signed_in(other) == expected


@pytest.mark.usefixtures("secret")
def test_removing_the_app_deletes_its_recovery_codes(client: Client) -> None:
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    assert sorted(factor_events())[2:] == [
        ("account.factor_removed", "recovery_codes"),
        ("account.factor_removed", "totp"),
    ]


@pytest.mark.usefixtures("secret")
def test_new_recovery_codes_replace_the_old_ones(
    client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = client.get("/accounts/2fa/recovery-codes/download/").content
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/accounts/2fa/recovery-codes/generate/")
    assert client.get("/accounts/2fa/recovery-codes/download/").content != before
    assert factor_events()[-1] == ("account.factor_added", "recovery_codes")


@pytest.mark.usefixtures("secret")
def test_admin_needs_the_code_too(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    other = Client()
    sign_in(other, "bob", next="/admin/")
    assert other.get("/admin/").status_code == 302


@pytest.mark.usefixtures("bob")
def test_setup_needs_the_password_again(client: Client) -> None:
    sign_in(client, "bob")
    for path in (APP, "/accounts/2fa/recovery-codes/generate/"):
        assert client.get(path).headers["Location"].startswith("/accounts/reauthenticate/")


def test_wrong_codes_lock_the_account_whatever_the_network(secret: str, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = registry_settings.ACCOUNT_RATE_LIMITS
    for number in range(5):
        guesser = Client(REMOTE_ADDR=f"192.0.2.{number}")
        sign_in(guesser, "bob")
        guesser.post("/accounts/2fa/authenticate/", {"code": "000000"})
    other = Client(REMOTE_ADDR="192.0.2.99")
    sign_in(other, "bob")
    response = other.post("/accounts/2fa/authenticate/", {"code": current_code(secret)})
    assert "Too many failed attempts" in response.content.decode()
    assert not is_signed_in(other)


def test_staff_without_a_second_factor_is_led_to_set_one_up(
    client: Client, bob: User, settings: Any
) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    sign_in(client, "bob")
    assert client.get("/admin/").status_code == 200
    settings.ADMIN_NEEDS_FACTOR = True
    response = client.get("/admin/registry/tag/", follow=True)
    assert response.status_code == 403
    page = response.content.decode()
    assert "requires a second factor" in page
    assert 'href="/accounts/2fa/totp/activate/?next=/admin/registry/tag/"' in page
    assert client.post("/admin/registry/namespace/add/", {"name": "x"}).status_code == 302


@pytest.mark.usefixtures("secret")
def test_staff_with_a_second_factor_uses_the_admin(
    client: Client, bob: User, settings: Any
) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    settings.ADMIN_NEEDS_FACTOR = True
    assert client.get("/admin/").status_code == 200


def test_required_factor_does_not_open_the_admin_to_others(
    client: Client, settings: Any, secret: str
) -> None:
    settings.ADMIN_NEEDS_FACTOR = True
    response = client.get("/admin/", follow=True)
    assert response.status_code == 403
    assert "is not a staff account" in response.content.decode()
