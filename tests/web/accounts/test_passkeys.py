"""Pages of passkeys: what is refused, whose they are, and what they say without a script.

`tests/web/browser/test_passkeys.py` has those who use them.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from registry.models import Event, User
from registry.web.accounts.passkey_forms import MAX_PASSKEYS, UNKNOWN_PASSKEY
from tests.web.accounts.accounts import create_user, is_signed_in, reauthenticate, sign_in

pytestmark = pytest.mark.django_db
ADD, LOGIN = "/accounts/2fa/passkeys/add/", "/accounts/2fa/passkeys/login/"
CREDENTIAL = json.loads((Path(__file__).parent / "passkey.json").read_text())
WRONG = [
    "",
    "no JSON",
    "[]",
    "{}",
    '{"id": "x", "rawId": "x", "type": "public-key", "response": {}}',
    json.dumps(CREDENTIAL),  # of another challenge
    json.dumps(CREDENTIAL | {"response": {"clientDataJSON": "AA", "attestationObject": "AA"}}),
    json.dumps(CREDENTIAL | {"response": {"userHandle": 1, "clientDataJSON": "e30"}}),
    json.dumps(
        CREDENTIAL
        | {
            "response": {
                "clientDataJSON": CREDENTIAL["response"]["clientDataJSON"],
                "authenticatorData": "AA",
                "signature": "AA",
                "userHandle": "MQ",
            }
        }
    ),
]


@pytest.fixture
def bob(db: None) -> User:
    return create_user()


def give_passkey(user: User, name: str = "laptop") -> Authenticator:
    passkey: Authenticator = Authenticator.objects.create(
        user=user,
        type=Authenticator.Type.WEBAUTHN,
        data={"name": name, "credential": CREDENTIAL},
    )
    return passkey


@pytest.fixture
def trusted(client: Client, bob: User) -> Client:
    """Return a client that has signed in and entered the password again."""
    sign_in(client, "bob")
    reauthenticate(client, client.get(ADD))
    return client


@pytest.mark.parametrize("credential", WRONG)
def test_a_wrong_credential_adds_nothing(trusted: Client, credential: str) -> None:
    assert "passkey-options" in trusted.get(ADD).content.decode()
    before = Event.objects.count()
    response = trusted.post(ADD, {"name": "laptop", "credential": credential})
    assert response.status_code == 400
    assert not Authenticator.objects.exists()
    assert Event.objects.count() == before


@pytest.mark.parametrize("credential", WRONG)
def test_a_wrong_credential_signs_nobody_in(bob: User, credential: str) -> None:
    give_passkey(bob)
    alone, second = Client(), Client()
    assert "request_options" in alone.get(LOGIN).json()
    alone.post(LOGIN, {"credential": credential})
    sign_in(second, "bob")
    page = second.get("/accounts/2fa/authenticate/").content.decode()
    assert "Use a passkey" in page
    assert "Passkeys need JavaScript" in page  # hidden by the script
    second.post("/accounts/2fa/authenticate/", {"credential": credential})
    assert not is_signed_in(alone)
    assert not is_signed_in(second)


def test_a_refused_passkey_keeps_where_one_wanted_to_go(trusted: Client, bob: User) -> None:
    give_passkey(bob)
    unknown = {"credential": WRONG[4], "next": "/submit?tag=arm/x"}
    kept = 'name="next" value="/submit?tag=arm/x"'
    page = Client().post(LOGIN, unknown, follow=True).content.decode()
    assert UNKNOWN_PASSKEY in page
    assert page.count(kept) == 2  # in both forms
    again = trusted.post("/accounts/2fa/passkeys/reauthenticate/", unknown)
    assert again.status_code == 400
    assert UNKNOWN_PASSKEY in again.content.decode()
    assert kept in again.content.decode()


def test_the_second_factor_offers_no_passkey_to_an_account_without_one(bob: User) -> None:
    Authenticator.objects.create(user=bob, type=Authenticator.Type.TOTP, data={"secret": "x"})
    client = Client()
    sign_in(client, "bob")
    page = client.get("/accounts/2fa/authenticate/").content.decode()
    assert "Enter the code" in page
    assert "passkey" not in page.partition("<main")[2]


def test_passkeys_of_others_are_not_found(trusted: Client) -> None:
    other = give_passkey(create_user("carol"))
    for verb in ("rename", "remove"):
        path = f"/accounts/2fa/passkeys/{other.pk}/{verb}/"
        assert trusted.get(path).status_code == 404
        assert trusted.post(path, {"name": "mine"}).status_code == 404
    assert str(Authenticator.objects.get()) == "laptop"


def test_names_are_limited_and_escaped(trusted: Client, bob: User) -> None:
    path = f"/accounts/2fa/passkeys/{give_passkey(bob).pk}/rename/"
    for name in ("x" * 61, "two\nlines", "\u202e"):
        assert trusted.post(path, {"name": name}).status_code == 400
    trusted.post(path, {"name": "<b>blue</b>"})
    assert "&lt;b&gt;blue&lt;/b&gt;" in trusted.get("/accounts/2fa/").content.decode()


def test_an_account_has_a_limited_number_of_passkeys(trusted: Client, bob: User) -> None:
    for number in range(MAX_PASSKEYS):
        give_passkey(bob, f"key {number}")
    response: Any = trusted.post(ADD, {"name": "laptop", "credential": json.dumps(CREDENTIAL)})
    assert "at most 10 passkeys" in response.content.decode()


def test_removing_the_last_one_ends_the_recovery_codes_and_is_logged(
    trusted: Client, bob: User
) -> None:
    passkey = give_passkey(bob)
    Authenticator.objects.create(user=bob, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert trusted.get(f"/accounts/2fa/passkeys/{passkey.pk}/remove/").status_code == 200
    trusted.post(f"/accounts/2fa/passkeys/{passkey.pk}/remove/")
    assert not Authenticator.objects.exists()
    events = Event.objects.filter(action="account.factor_removed")
    factors = {json.loads(event.detail)["factor"] for event in events}
    assert factors == {"webauthn", "recovery_codes"}


@pytest.mark.usefixtures("bob")
def test_adding_needs_the_password_again(client: Client) -> None:
    sign_in(client, "bob")
    for method in (client.get, client.post):
        assert method(ADD).headers["Location"].startswith("/accounts/reauthenticate/")
