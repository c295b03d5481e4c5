"""The pages of ways back into an account: recovery keys and resets."""

import re
from typing import Any

import pytest
from django.test import Client

from registry.http.rate_limits import PREVIEW
from registry.models import Event, RecoveryKey, User
from registry.services.accounts import resets
from registry.services.core.permissions import Actor
from tests.web.accounts.accounts import (
    NEW_PASSWORD,
    PASSWORD,
    create_user,
    is_signed_in,
    reauthenticate,
    sign_in,
)

pytestmark = pytest.mark.django_db
KEY = re.compile(r"<code>([a-z0-9]{4}(?:-[a-z0-9]{4}){4})</code>")
FORM = {"username": "bob", "password": NEW_PASSWORD, "again": NEW_PASSWORD}


def recover(code: str, **fields: str) -> Any:
    return Client().post("/accounts/recover/", FORM | {"code": code} | fields)


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


@pytest.fixture
def key(client: Client) -> str:
    """Sign up, take the key that is offered, and return it."""
    form = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD, "next": "/submit"}
    offer = client.post("/accounts/signup/", form).headers["Location"]
    page = text_of(client.get(offer))
    assert 'href="/submit">Continue without a key' in page
    made = client.post(offer)
    assert made.headers["Cache-Control"] == "no-store"
    assert 'href="/submit"' in text_of(made)
    (key,) = KEY.findall(made.content.decode())
    return str(key)


def test_the_key_that_is_offered_at_sign_up_sets_a_new_password(key: str, client: Client) -> None:
    assert key not in client.get("/me/recovery-key").content.decode()
    assert recover(key).headers["Location"] == "/accounts/login/"
    other = Client()
    sign_in(other, "bob")
    assert not is_signed_in(other)
    sign_in(other, "bob", NEW_PASSWORD)
    assert is_signed_in(other)
    assert not is_signed_in(client)  # sessions end with the old password
    assert not Event.objects.filter(detail__contains=key).exists()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"code": "0000-0000-0000-0000-0000"}, "do not belong together"),
        ({"username": "alice"}, "do not belong together"),
        ({"username": ""}, "Enter the username."),
        ({"again": "other"}, "The two passwords differ"),
        ({"password": "12345678", "again": "12345678"}, "entirely numeric"),
    ],
)
def test_what_is_wrong_sets_no_password(key: str, fields: dict[str, str], message: str) -> None:
    response = recover(**{"code": key} | fields)
    assert (response.status_code, message in text_of(response)) == (400, True)
    assert User.objects.get(username="bob").check_password(PASSWORD)
    assert NEW_PASSWORD not in text_of(response)
    assert RecoveryKey.objects.exists()


def test_guesses_are_counted_by_network(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, PREVIEW.name, 1)
    assert [recover("0000").status_code for _ in range(2)] == [400, 429]


def test_another_key_needs_the_password_again(client: Client) -> None:
    client.force_login(create_user())
    response = client.post("/me/recovery-key")
    assert not RecoveryKey.objects.exists()
    (key,) = KEY.findall(reauthenticate(client, response).content.decode())
    assert recover(key).status_code == 302


def test_the_account_sees_its_reset_and_stops_it(client: Client) -> None:
    bob, boss = create_user(), User.objects.create_superuser("boss")
    sign_in(client, "bob")
    assert "is not being reset" in text_of(client.get("/me/reset"))
    code, _ = resets.begin_reset(
        User.objects.get(pk=bob.pk), reason="asked by phone", actor=Actor(boss)
    )
    assert "boss began to reset" in text_of(client.get("/me/reset"))
    early = recover(code)
    assert (early.status_code, "works from" in text_of(early)) == (400, True)
    client.post("/me/reset")
    assert recover(code).status_code == 400
    assert client.post("/me/reset").status_code == 409
