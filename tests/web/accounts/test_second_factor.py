"""A code from an app beside the password."""

import json
import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from registry.models import Event, User
from tests.web.accounts.accounts import confirm, is_in, made, sign_in

pytestmark = pytest.mark.django_db
APP = "/accounts/2fa/totp/activate/"


def code_of(secret: str) -> str:
    """What an app shows now."""
    counter = next(iter(yield_hotp_counters_from_time()))
    return format_hotp_value(hotp_value(secret, counter))


@pytest.fixture
def bob(db: None) -> User:
    return made()


@pytest.fixture
def secret(
    client: Client, bob: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> str:
    """Bob, in, with an app set up."""
    sign_in(client, "bob")
    confirm(client, client.get(APP))
    page = client.get(APP).content.decode()
    (secret,) = re.findall(r'<code class="secret">(\w+)</code>', page)
    assert '<svg class="qr"' in page
    assert "data:" not in page
    with django_capture_on_commit_callbacks(execute=True):
        client.post(APP, {"code": code_of(secret)})
    return str(secret)


def factors() -> list[tuple[str, str]]:
    events = Event.objects.filter(action__startswith="account.factor")
    return [(event.action, json.loads(event.detail)["factor"]) for event in events]


def test_setting_up_an_app_leaves_events_without_the_secret(secret: str) -> None:
    assert factors() == [
        ("account.factor_added", "totp"),
        ("account.factor_added", "recovery_codes"),
    ]
    assert not Event.objects.filter(detail__contains=secret).exists()


def test_password_and_code_sign_in(secret: str) -> None:
    other = Client()
    assert sign_in(other, "bob").headers["Location"] == "/accounts/2fa/authenticate/"
    assert not is_in(other)
    wrong = other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert wrong.status_code == 422
    assert "This code is not right" in wrong.content.decode()
    other.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert is_in(other)


@pytest.mark.usefixtures("secret")
def test_a_recovery_code_signs_in_once(client: Client) -> None:
    page = client.get("/accounts/2fa/recovery-codes/").content.decode()
    codes = re.findall(r"<li><code>(\d{8})</code></li>", page)
    assert len(codes) == 10
    for expected in (True, False):
        other = Client()
        sign_in(other, "bob")
        other.post("/accounts/2fa/authenticate/", {"code": codes[0]})
        assert is_in(other) == expected


@pytest.mark.usefixtures("secret")
def test_an_app_is_removed_with_its_codes(client: Client) -> None:
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    assert sorted(factors())[2:] == [
        ("account.factor_removed", "recovery_codes"),
        ("account.factor_removed", "totp"),
    ]


@pytest.mark.usefixtures("secret")
def test_new_codes_take_the_place_of_old_ones(
    client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = client.get("/accounts/2fa/recovery-codes/download/").content
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/accounts/2fa/recovery-codes/generate/")
    assert client.get("/accounts/2fa/recovery-codes/download/").content != before
    assert factors()[-1] == ("account.factor_added", "recovery_codes")


@pytest.mark.usefixtures("secret")
def test_staff_needs_the_code_in_the_admin_too(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    other = Client()
    sign_in(other, "bob", next="/admin/")
    assert other.get("/admin/").status_code == 302


@pytest.mark.usefixtures("bob")
def test_setting_up_asks_for_the_password_again(client: Client) -> None:
    sign_in(client, "bob")
    for path in (APP, "/accounts/2fa/recovery-codes/generate/"):
        assert client.get(path).headers["Location"].startswith("/accounts/reauthenticate/")
