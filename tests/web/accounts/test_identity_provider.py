"""Sign-in and sign-up by an identity provider, and what must not sign anybody in."""

import json
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.db import connection
from django.test import Client

from registry.domain.errors import Code, Refused
from registry.domain.identity_provider import IdentityProvider
from registry.models import Event, User
from registry.services.accounts import identities
from registry.services.accounts.provider_client import ProvenIdentity, ProviderClient
from registry.services.core.permissions import Actor
from registry.services.core.timed_http import TimedOpener
from tests.issuers import DISCOVERY, OTHER_RSA_KEY, public_jwk, trickling_server
from tests.sign_in_provider import (
    CLIENT_ID,
    LOGIN,
    SECRET,
    Browser,
    SignInProvider,
    sentence_of,
    sign_in_provider,
)
from tests.web.accounts.accounts import (
    account_events,
    create_user,
    email_enabled,
    is_signed_in,
    sign_in,
)

__all__ = ["email_enabled"]
pytestmark = pytest.mark.django_db
FAILED = "Example Id could not show who you are. Try again in a minute, or sign in another way."


@pytest.fixture
def provider(settings: Any) -> Iterator[SignInProvider]:
    with sign_in_provider(settings) as running:
        yield running


@pytest.fixture
def browser(client: Client, provider: SignInProvider) -> Browser:
    return Browser(client, provider)


def connect(user: User, provider: SignInProvider, subject: str = "248") -> None:
    """Connect an identity with an account, as its owner does."""
    identity = ProvenIdentity(provider.address, subject, username="ada")
    identities.connect(identity, actor=Actor(user, is_confirmed=True))


def test_owner_of_an_identity_signs_up_with_a_username(
    browser: Browser, provider: SignInProvider
) -> None:
    provider.changes = {"preferred_username": "Ada.Lovelace", "email": "ada@example.org"}
    response = browser.sign_in(next="/submit")
    assert response.headers["Location"] == "/accounts/provider/signup/"
    page = browser.client.get("/accounts/provider/signup/").content.decode()
    assert 'value="ada.lovelace"' in page
    assert account_events() == [], "nobody has an account before the form is sent"
    form = {"username": "ada", "email": ""}
    response = browser.client.post("/accounts/provider/signup/", form)
    assert response.headers["Location"] == "/me/recovery-key?next=%2Fsubmit"
    assert is_signed_in(browser.client)
    user = User.objects.get(username="ada")
    assert (user.username, user.email, user.has_usable_password()) == ("ada", "", False)
    assert account_events() == ["account.made", "account.identity_connected"]
    detail = json.loads(Event.objects.latest("number").detail)
    assert detail == {"issuer": provider.address}, "no subject, no address"


def test_connected_identity_signs_in(browser: Browser, provider: SignInProvider) -> None:
    connect(create_user(), provider)
    assert browser.sign_in(next="/submit").headers["Location"] == "/submit"
    assert is_signed_in(browser.client)


def test_name_is_asked_for_where_the_token_has_none(
    browser: Browser, provider: SignInProvider
) -> None:
    provider.userinfo = {"sub": "248", "preferred_username": "ada"}
    browser.sign_in()
    assert 'value="ada"' in browser.client.get("/accounts/provider/signup/").content.decode()
    provider.userinfo["sub"] = "somebody else"
    browser.sign_in()
    assert 'value="ada"' not in browser.client.get("/accounts/provider/signup/").content.decode()


@pytest.mark.parametrize(
    ("username", "message"),
    [("Ada", "Ada is not a valid username"), ("bob", "is or was used"), ("root", "is reserved")],
)
def test_username_follows_the_rules(
    browser: Browser, provider: SignInProvider, username: str, message: str
) -> None:
    create_user("bob")
    response = browser.sign_up(username)
    assert response.status_code == 400
    assert message in response.content.decode()
    assert not SocialAccount.objects.exists()


def test_name_that_is_taken_meanwhile_is_said_in_the_form(
    browser: Browser, provider: SignInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.sign_in(next="/submit")
    create_user("bob")
    adapter = "registry.web.accounts.adapter.AccountAdapter.clean_username"
    with monkeypatch.context() as patch:
        patch.setattr(adapter, lambda _self, name, **_: name)
        form = {"username": "bob", "email": "ada@example.org"}
        response = browser.client.post("/accounts/provider/signup/", form)
    page = response.content.decode()
    assert response.status_code == 400
    assert "is or was used by another account" in page
    assert 'value="bob"' in page
    assert 'value="ada@example.org"' in page
    assert not is_signed_in(browser.client)
    assert not SocialAccount.objects.exists()
    assert not EmailAddress.objects.filter(email="ada@example.org").exists()
    response = browser.client.post("/accounts/provider/signup/", form | {"username": "ada"})
    assert response.headers["Location"] == "/me/recovery-key?next=%2Fsubmit"
    assert User.objects.get(username="ada").email == "ada@example.org"


def test_sign_up_that_found_the_registry_busy_can_be_sent_again(
    browser: Browser, provider: SignInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.sign_in(next="/submit")
    form = {"username": "ada", "email": ""}
    with monkeypatch.context() as patch:
        refusal = Refused(Code.BUSY, "Another write is running.")
        patch.setattr(identities, "sign_up", Mock(side_effect=refusal))
        assert browser.client.post("/accounts/provider/signup/", form).status_code == 503
    assert not User.objects.filter(username="ada").exists()
    response = browser.client.post("/accounts/provider/signup/", form)
    assert response.headers["Location"] == "/me/recovery-key?next=%2Fsubmit"
    assert "socialaccount_sociallogin" not in browser.client.session


def test_identity_that_is_connected_meanwhile_signs_nobody_up(
    browser: Browser, provider: SignInProvider
) -> None:
    browser.sign_in()
    connect(create_user("bob"), provider)
    response = browser.client.post("/accounts/provider/signup/", {"username": "ada", "email": ""})
    assert response.status_code == 409
    assert not User.objects.filter(username="ada").exists()
    assert not is_signed_in(browser.client)


def test_equal_address_connects_nothing(browser: Browser, provider: SignInProvider) -> None:
    bob = create_user("bob", "bob@example.org")
    provider.changes = {"email": "bob@example.org", "email_verified": True}
    assert browser.sign_in().headers["Location"] == "/accounts/provider/signup/"
    assert not is_signed_in(browser.client)
    response = browser.sign_up("ada", email="bob@example.org")
    assert "sign in to it, and connect your identity at Example Id" in response.content.decode()
    assert not SocialAccount.objects.filter(user=bob).exists()
    assert not User.objects.filter(username="ada").exists()


def test_second_factor_is_asked_for(browser: Browser, provider: SignInProvider) -> None:
    user = create_user()
    connect(user, provider)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert browser.sign_in().headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert not is_signed_in(browser.client)


def test_closed_account_stays_closed(browser: Browser, provider: SignInProvider) -> None:
    user = create_user()
    connect(user, provider)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert browser.sign_in().headers["Location"] == "/accounts/inactive/"
    assert not is_signed_in(browser.client)


def test_closed_sign_up_creates_no_account(
    browser: Browser, provider: SignInProvider, settings: Any
) -> None:
    settings.SIGNUP_OPEN = False
    response = browser.sign_in()
    assert response.status_code == 403
    assert "accounts are created by the administrators" in response.content.decode()
    assert account_events() == []


@pytest.mark.usefixtures("email_enabled")
def test_address_is_confirmed_here_whatever_the_provider_says(
    browser: Browser, provider: SignInProvider
) -> None:
    provider.changes = {"email": "ada@example.org", "email_verified": True}
    response = browser.sign_up(email="ada@example.org")
    assert response.headers["Location"] == "/accounts/confirm-email/"
    assert not is_signed_in(browser.client)
    assert not EmailAddress.objects.get(email="ada@example.org").verified


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example/", "javascript:x"])
def test_next_must_be_on_this_site(browser: Browser, provider: SignInProvider, wanted: str) -> None:
    connect(create_user(), provider)
    assert browser.sign_in(next=wanted).headers["Location"] == "/me"


def test_no_token_of_the_provider_is_stored(browser: Browser, provider: SignInProvider) -> None:
    browser.sign_in()
    kept = json.dumps(dict(browser.client.session.items()))
    assert "bearer" not in kept
    assert browser.sign_up().status_code == 302
    assert not SocialToken.objects.exists()
    assert SocialAccount.objects.get().extra_data == {"label": "248"}


BAD_CLAIMS = {
    "another nonce": ({"nonce": "x"}, "issued for another sign-in"),
    "no nonce": ({"nonce": None}, "issued for another sign-in"),
    "another audience": ({"aud": "another-client"}, "its audience is not registry"),
    "two audiences": ({"aud": ["registry", "another-client"]}, "other audiences besides registry"),
    "another party": ({"azp": "another-client"}, "issued to another client"),
    "another issuer": ({"iss": "https://evil.example"}, "the issuer 'https://evil.example'"),
    "expired": ({"exp": 1}, "it has expired"),
    "from the future": ({"nbf": 99999999999}, "it is not valid yet"),
    "no subject": ({"sub": None}, "it lacks the claim sub"),
    "empty subject": ({"sub": ""}, "no texts of 1 to 191"),
    "number as subject": ({"sub": 248}, "an invalid value"),
    "long subject": ({"sub": "x" * 192}, "no texts of 1 to 191"),
    "subject with a line break": ({"sub": "a\nb"}, "control characters"),
}


@pytest.mark.parametrize(("changes", "reason"), BAD_CLAIMS.values(), ids=BAD_CLAIMS.keys())
def test_token_with_wrong_claims_signs_nobody_in(
    browser: Browser,
    provider: SignInProvider,
    caplog: pytest.LogCaptureFixture,
    changes: dict[str, Any],
    reason: str,
) -> None:
    connect(create_user(), provider)
    provider.changes = changes
    refused(browser.sign_in(), browser)
    assert reason in caplog.text


def refused(response: Any, browser: Browser, sentence: str = FAILED, status: int = 502) -> None:
    """Assert that a response is the page that says why nobody is signed in."""
    assert (response.status_code, sentence_of(response)) == (status, sentence)
    assert response.headers["Cache-Control"] == "no-store"
    assert not is_signed_in(browser.client)


def forged(provider: SignInProvider, begun: dict[str, str], way: str) -> str:
    """Return a token that the provider has not signed for this client."""
    claims = provider.claims(sub="248", aud=CLIENT_ID, nonce=begun["nonce"])
    match way:
        case "none":
            return f"{jwt.encode(claims, '', 'none')}eA"
        case "client secret":
            return jwt.encode(claims, SECRET.ljust(32), "HS256", headers={"kid": "rsa-1"})
        case "public key":
            provider.claims = lambda **_: claims  # type: ignore[method-assign]
            return provider.forged_with_public_key()
        case "other key":
            return provider.identity_token(begun, key=OTHER_RSA_KEY)
        case "unknown key":
            return provider.identity_token(begun, key=OTHER_RSA_KEY, key_id="x")
        case _:
            return "no token"


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("none", "it is not signed with RS256 or ES256"),
        ("client secret", "it is not signed with RS256 or ES256"),
        ("public key", "it is not signed with RS256 or ES256"),
        *(("other key", "its signature is wrong"), ("unknown key", "it has no key 'x'")),
        ("text", "it is not a JSON Web Token"),
    ],
)
def test_token_of_another_signer_signs_nobody_in(
    browser: Browser,
    provider: SignInProvider,
    caplog: pytest.LogCaptureFixture,
    way: str,
    reason: str,
) -> None:
    connect(create_user(), provider)
    browser.leave()
    provider.tokens["code"] = forged(provider, browser.begun, way)
    refused(browser.come_back(), browser)
    assert reason in caplog.text


def test_new_key_of_the_provider_is_fetched(
    browser: Browser, provider: SignInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(create_user(), provider)
    browser.leave()
    monkeypatch.setattr("registry.services.accounts.provider_client.RETRY", 0)
    provider.keys.append(public_jwk(OTHER_RSA_KEY, "rsa-2"))
    provider.tokens["code"] = provider.identity_token(
        browser.begun, key=OTHER_RSA_KEY, key_id="rsa-2"
    )
    assert browser.come_back().headers["Location"] == "/me"


UNKNOWN = (
    "This sign-in was not begun in this browser, was finished already, or took more than ten "
    "minutes."
)


@pytest.mark.parametrize("state", ["", "x", None])
def test_wrong_state_signs_nobody_in(
    browser: Browser, provider: SignInProvider, state: str | None
) -> None:
    connect(create_user(), provider)
    browser.leave()
    if state is None:  # another browser, into which somebody has lured a person
        browser.client = Client()
        state = browser.begun["state"]
    refused(browser.come_back(state=state), browser, UNKNOWN, 400)
    assert "/token" not in provider.requests


def test_code_and_state_work_once(browser: Browser, provider: SignInProvider) -> None:
    connect(create_user(), provider)
    assert browser.sign_in().status_code == 302
    browser.client.post("/accounts/logout/")
    refused(browser.come_back(), browser, UNKNOWN, 400)
    browser.leave()
    browser.come_back()
    browser.client.post("/accounts/logout/")
    browser.leave()
    provider.begun.clear()
    query = {"state": browser.begun["state"], "code": "code"}  # redeemed before
    refused(browser.client.get(f"{LOGIN}callback/", query), browser)


def test_sign_in_of_another_begin_is_refused(browser: Browser, provider: SignInProvider) -> None:
    """The code of somebody else's sign-in has another verifier and nonce than this browser's."""
    connect(create_user(), provider)
    attacker = Browser(Client(), provider)
    attacker.leave()
    browser.leave()
    provider.begun["stolen"] = attacker.begun
    query = {"state": browser.begun["state"], "code": "stolen"}
    refused(browser.client.get(f"{LOGIN}callback/", query), browser)


def test_answer_of_another_issuer_is_refused(browser: Browser, provider: SignInProvider) -> None:
    connect(create_user(), provider)
    browser.leave()
    refused(browser.come_back(iss="https://evil.example"), browser)
    assert "/token" not in provider.requests


def test_who_cancels_is_back_at_the_sign_in_page(
    browser: Browser, provider: SignInProvider
) -> None:
    browser.leave()
    query = {"state": browser.begun["state"], "error": "access_denied"}
    response = browser.client.get(f"{LOGIN}callback/", query, follow=True)
    assert "You did not sign in with Example Id." in response.content.decode()
    browser.leave()
    query = {"state": browser.begun["state"], "error": "server_error\n<b>"}
    refused(browser.client.get(f"{LOGIN}callback/", query), browser)


BROKEN = {
    "away": {DISCOVERY: (503, {}, b"")},
    "no JSON": {DISCOVERY: (200, {}, b"<html>")},
    "too large": {DISCOVERY: (200, {}, b" " * 300_000)},
    "a list": {DISCOVERY: (200, {}, b"[]")},
    "redirects": {DISCOVERY: (302, {"Location": "http://127.0.0.1:1/"}, b"")},
    "no keys": {"/keys": (200, {}, b"{}")},
}


@pytest.mark.parametrize("answers", BROKEN.values(), ids=BROKEN.keys())
def test_broken_provider_is_one_sentence(
    browser: Browser, provider: SignInProvider, answers: dict[str, Any]
) -> None:
    provider.answers = answers
    refused(browser.leave(), browser)
    asked = len(provider.requests)
    refused(browser.leave(), browser)
    assert len(provider.requests) == asked, "nobody waits for it again at once"


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://id.example.org/"},
        {"authorization_endpoint": "https://id.example.org/\r\nX: y"},
        {"jwks_uri": "file:///etc/passwd"},
    ],
)
def test_discovery_with_wrong_addresses_is_one_sentence(
    browser: Browser, provider: SignInProvider, changes: dict[str, Any]
) -> None:
    provider.discovery = changes
    refused(browser.leave(), browser)


@pytest.mark.parametrize(
    "answer",
    [(500, {}, b""), (200, {}, b"{}"), (200, {}, b'{"id_token": 1}'), (200, {}, b"x" * 300_000)],
)
def test_broken_answer_to_a_code_is_one_sentence(
    browser: Browser, provider: SignInProvider, answer: Any
) -> None:
    browser.leave()
    provider.answers["/token"] = answer
    refused(browser.come_back(), browser)


def test_slow_provider_ends_by_the_deadline(
    browser: Browser, provider: SignInProvider, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trickling_server() as port:
        slow = IdentityProvider(f"http://127.0.0.1:{port}", CLIENT_ID, SECRET, "Example Id")
        settings.IDENTITY_PROVIDER = slow
        monkeypatch.setattr(
            "registry.services.accounts.provider_client.client_of",
            lambda provider: ProviderClient(provider, deadline=0.5),
        )
        start = time.monotonic()
        refused(browser.leave(), browser)
        assert time.monotonic() - start < 5


def test_provider_is_asked_without_the_write_lock(
    browser: Browser, provider: SignInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(create_user(), provider)
    held: list[bool] = []
    outside = len(connection.savepoint_ids)
    open_address = TimedOpener.open

    def watched(opener: TimedOpener, *args: Any, **kwargs: Any) -> Any:
        held.append(len(connection.savepoint_ids) > outside)
        return open_address(opener, *args, **kwargs)

    monkeypatch.setattr(TimedOpener, "open", watched)
    assert browser.sign_in().status_code == 302
    assert len(held) >= 3
    assert not any(held)


OFF = [
    *("/accounts/provider/login/", "/accounts/provider/login/callback/?code=x&state=y"),
    *("/accounts/provider/signup/", "/accounts/provider/confirm/", "/accounts/identities/"),
    "/accounts/identities/1/remove/",
]


@pytest.mark.parametrize("path", OFF)
def test_without_a_provider_there_is_no_page(client: Client, path: str) -> None:
    create_user()
    for response in (client.get(path), client.post(path)):
        assert response.status_code == 404
    sign_in(client, "bob")
    for response in (client.get(path), client.post(path)):
        assert response.status_code == 404


def test_pages_name_the_provider_only_where_there_is_one(
    client: Client, settings: Any, provider: SignInProvider
) -> None:
    create_user()
    paths = ("/accounts/login/?next=/submit", "/accounts/signup/")
    texts = [client.get(path).content.decode() for path in paths]
    assert "Sign in with Example Id" in texts[0]
    assert texts[0].count('<input type="hidden" name="next" value="/submit">') == 3
    assert "Sign up with Example Id" in texts[1]
    sign_in(client, "bob")
    assert "/accounts/identities/" in client.get("/me").content.decode()
    settings.IDENTITY_PROVIDER = None
    assert "/accounts/identities/" not in client.get("/me").content.decode()
    client.post("/accounts/logout/")
    for path in paths:
        text = client.get(path).content.decode()
        assert "Example Id" not in text
        assert "/accounts/provider" not in text
