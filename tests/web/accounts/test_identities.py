"""The page of identities: connecting and removing them, and confirming who one is by them."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from registry.models import Event, User
from registry.services.accounts import provider_client
from tests.sign_in_provider import (
    LOGIN,
    Browser,
    SignInProvider,
    sentence_of,
    sign_in_provider,
)
from tests.web.accounts.accounts import (
    NEW_PASSWORD,
    account_events,
    create_user,
    deliver,
    email_enabled,
    is_signed_in,
    reauthenticate,
    sign_in,
)

__all__ = ["email_enabled"]
pytestmark = pytest.mark.django_db
CONFIRM = "/accounts/provider/confirm/"


@pytest.fixture
def provider(settings: Any) -> Iterator[SignInProvider]:
    with sign_in_provider(settings) as running:
        yield running


@pytest.fixture
def browser(client: Client, provider: SignInProvider) -> Browser:
    return Browser(client, provider)


@pytest.fixture
def bob(browser: Browser) -> User:
    """Sign in as somebody with a password."""
    user = create_user()
    sign_in(browser.client, "bob")
    return user


@pytest.fixture
def ada(browser: Browser) -> User:
    """Sign up as somebody who only has an identity; a while ago."""
    browser.sign_up()
    forget_confirmation(browser.client)
    return User.objects.get(username="ada")


def forget_confirmation(client: Client) -> None:
    """Let the last time at which somebody showed who they are be a while ago."""
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] = time.time() - app_settings.REAUTHENTICATION_TIMEOUT - 1
    session.save()


def connect(browser: Browser) -> Any:
    """Connect an identity with the account that is signed in by a password."""
    browser.take(reauthenticate(browser.client, browser.leave()))
    return browser.come_back()


def test_identity_is_connected_after_the_password_is_entered(
    browser: Browser, bob: User, provider: SignInProvider
) -> None:
    assert "None." in browser.client.get("/accounts/identities/").content.decode()
    provider.changes = {"preferred_username": "Bob B."}
    assert connect(browser).headers["Location"] == "/accounts/identities/"
    page = browser.client.get("/accounts/identities/").content.decode()
    assert "<b>Bob B.</b> at Example Id" in page
    assert SocialAccount.objects.get().user == bob
    assert account_events()[-1] == "account.identity_connected"
    browser.client.post("/accounts/logout/")
    browser.sign_in()
    assert is_signed_in(browser.client)


def test_identity_of_another_account_is_not_connected(
    browser: Browser, ada: User, provider: SignInProvider
) -> None:
    bob, browser.client = create_user(), Client()
    sign_in(browser.client, "bob")
    response = connect(browser)
    assert response.status_code == 409
    assert "connected to another account already" in response.content.decode()
    assert SocialAccount.objects.get().user == ada
    assert not SocialAccount.objects.filter(user=bob).exists()


def test_identity_is_connected_once(browser: Browser, bob: User) -> None:
    connect(browser)
    response = browser.sign_in()
    assert response.status_code == 409
    assert "Your account has this identity already" in response.content.decode()


def test_begun_by_one_is_not_finished_by_another(browser: Browser, bob: User) -> None:
    """Whoever signs out meanwhile connects nothing: what was begun ends with the session."""
    browser.take(reauthenticate(browser.client, browser.leave()))
    browser.client.post("/accounts/logout/")
    create_user("eve")
    sign_in(browser.client, "eve")
    assert browser.come_back().status_code == 400
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("purpose", ["connect", "confirm"])
def test_account_that_was_closed_meanwhile_gets_nothing(
    browser: Browser, bob: User, purpose: str
) -> None:
    response = browser.leave(purpose=purpose)
    if purpose == "connect":
        browser.take(reauthenticate(browser.client, response))
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert browser.come_back().status_code in (400, 403)
    assert not SocialAccount.objects.exists()


def test_sign_in_begun_before_another_one_changes_nothing(browser: Browser) -> None:
    """In two tabs: a sign-in neither connects an identity nor changes who is signed in."""
    create_user()
    browser.leave(next="/submit")
    sign_in(browser.client, "bob")
    assert browser.come_back().headers["Location"] == "/submit"
    assert not SocialAccount.objects.exists()
    assert browser.client.session["_auth_user_id"] == str(User.objects.get(username="bob").pk)


def test_identity_is_removed_where_there_is_a_password(browser: Browser, bob: User) -> None:
    connect(browser)
    url = f"/accounts/identities/{SocialAccount.objects.get().pk}/remove/"
    assert "It will no longer sign you in" in browser.client.get(url).content.decode()
    assert browser.client.post(url).headers["Location"] == "/accounts/identities/"
    assert not SocialAccount.objects.exists()
    event = Event.objects.latest("number")
    assert (event.action, event.actor) == ("account.identity_removed", bob)
    assert json.loads(event.detail) == {"issuer": browser.provider.address}
    assert browser.client.post(url).status_code == 404


def test_identity_of_somebody_else_is_not_found(browser: Browser, ada: User) -> None:
    create_user()
    other = Client()
    sign_in(other, "bob")
    url = f"/accounts/identities/{SocialAccount.objects.get().pk}/remove/"
    assert (other.get(url).status_code, other.post(url).status_code) == (404, 404)


def test_last_way_in_stays(browser: Browser, ada: User) -> None:
    url = f"/accounts/identities/{SocialAccount.objects.get().pk}/remove/"
    page = browser.client.get(url).content.decode()
    assert "This is the last way into your account" in page
    assert "/accounts/password/set/" in page
    confirm(browser)
    response = browser.client.post(url)
    assert response.status_code == 409
    assert "Set a password first, then remove the identity" in response.content.decode()
    form = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert browser.client.post("/accounts/password/set/", form).status_code == 302
    assert browser.client.post(url).headers["Location"] == "/accounts/identities/"
    assert not SocialAccount.objects.exists()


def test_identity_of_a_former_provider_is_no_way_in(browser: Browser, ada: User) -> None:
    SocialAccount.objects.update(provider="https://former.example.org")
    page = browser.client.get("/accounts/identities/").content.decode()
    assert "https://former.example.org, which no longer signs you in" in page
    browser.client.post("/accounts/logout/")
    assert browser.sign_in().headers["Location"] == "/accounts/provider/signup/"


def confirm(browser: Browser, **changes: str) -> Any:
    """Sign in at the provider again."""
    browser.leave(purpose="confirm", next="/me/tokens")
    return browser.come_back(**changes)


SENSITIVE = [
    ("/accounts/password/set/", {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}),
    ("/accounts/email/", {"action_add": "", "email": "eve@example.org"}),
    ("/accounts/2fa/totp/activate/", {"code": "123456"}),
    ("/accounts/2fa/passkeys/add/", {"name": "x", "credential": "{}"}),
    ("/me/recovery-key", {}),
    ("/me/close", {"credit": ""}),
    (LOGIN, {}),
    ("/me/tokens", {"label": "x", "scopes": "publish", "pattern": "acme", "expires": ""}),
]


@pytest.mark.usefixtures("email_enabled")
def test_owner_hears_of_it_by_mail(browser: Browser, bob: User) -> None:
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True, verified=True)
    connect(browser)
    browser.client.post(f"/accounts/identities/{SocialAccount.objects.get().pk}/remove/")
    connected, removed = deliver()
    assert (connected.subject, connected.to) == (
        "[Target Tag Registry] Identity connected",
        ["bob@example.org"],
    )
    assert f"An identity at {browser.provider.address} was connected" in str(connected.body)
    assert "was removed from your account" in str(removed.body)


@pytest.mark.parametrize(("path", "form"), SENSITIVE)
def test_who_only_has_an_identity_confirms_it_before_a_change(
    browser: Browser, ada: User, path: str, form: dict[str, str]
) -> None:
    """Whoever found the browser open could otherwise take the account."""
    events = account_events()
    response = browser.client.post(path, form)
    assert response.headers["Location"].startswith(CONFIRM)
    assert account_events() == events
    page = browser.client.get(response.headers["Location"])
    assert "Sign in with Example Id again to continue" in page.content.decode()


def test_form_is_processed_after_it_is_confirmed(browser: Browser, ada: User) -> None:
    form = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    browser.client.post("/accounts/password/set/", form)
    browser.leave(purpose="confirm", next="/accounts/password/set/")
    assert browser.begun["prompt"] == "login"
    assert browser.begun["max_age"] == "0"
    back = browser.come_back().headers["Location"]
    assert back == f"{CONFIRM}?next=%2Faccounts%2Fpassword%2Fset%2F"
    browser.client.get(back)
    ada.refresh_from_db()
    assert ada.check_password(NEW_PASSWORD)


@pytest.mark.parametrize("moment", [-120, None])
def test_old_sign_in_at_the_provider_confirms_nothing(
    browser: Browser, ada: User, provider: SignInProvider, moment: int | None
) -> None:
    provider.changes = {"auth_time": moment and int(time.time()) + moment}
    response = confirm(browser)
    assert response.status_code == 403
    assert sentence_of(response) == "You did not enter your password there again."
    assert browser.client.post("/me/recovery-key").headers["Location"].startswith(CONFIRM)


def test_provider_that_knows_no_time_is_believed(
    browser: Browser, ada: User, provider: SignInProvider
) -> None:
    provider.discovery = {"claims_supported": ["sub"]}
    provider.changes = {"auth_time": None}
    provider_client.client_of.cache_clear()
    assert confirm(browser).status_code == 302
    assert browser.client.post("/me/recovery-key").status_code == 200


def test_identity_of_somebody_else_confirms_nothing(
    browser: Browser, ada: User, provider: SignInProvider
) -> None:
    provider.changes = {"sub": "another"}
    response = confirm(browser)
    assert response.status_code == 403
    assert sentence_of(response) == (
        "You signed in there as somebody else than the owner of this account."
    )
    assert browser.client.post("/me/recovery-key").headers["Location"].startswith(CONFIRM)


def test_identity_confirms_beside_a_password(browser: Browser, bob: User) -> None:
    connect(browser)
    forget_confirmation(browser.client)
    response = browser.client.post("/me/recovery-key")
    page = browser.client.get(response.headers["Location"]).content.decode()
    assert "Sign in with Example Id" in page
    assert confirm(browser).status_code == 302
    assert browser.client.post("/me/recovery-key").status_code == 200


def test_second_factor_confirms_beside_an_identity(browser: Browser, ada: User) -> None:
    Authenticator.objects.create(user=ada, type=Authenticator.Type.TOTP, data={"secret": "x"})
    response = browser.client.post("/me/recovery-key")
    assert response.headers["Location"].startswith("/accounts/2fa/reauthenticate/")
