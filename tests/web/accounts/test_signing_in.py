"""Sign-in, also to the admin; changing passwords and email addresses."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry import settings as registry_settings
from registry.domain.errors import Code, Refused
from registry.models import Event, OutgoingMail, User
from tests.web.accounts.accounts import (
    NEW_PASSWORD,
    PASSWORD,
    account_events,
    create_user,
    deliver,
    email_enabled,
    is_signed_in,
    mailed_path,
    reauthenticate,
    sign_in,
)
from tests.web.conftest import Visitor

__all__ = ["email_enabled"]
pytestmark = pytest.mark.django_db
VALUES = re.compile(r"""'[^']*'|\b\d+\b|"s\d+_x\d+\"""")  # in SQL, and names of savepoints


@pytest.fixture
def bob(db: None) -> User:
    return create_user(email="bob@example.org")


@pytest.fixture
def bob_client(client: Client, bob: User) -> Client:
    sign_in(client, "bob")
    return client


@pytest.mark.parametrize("login", ["bob", "BOB", " bob ", "bob@example.org", "Bob@Example.org"])
@pytest.mark.usefixtures("bob")
def test_username_or_email_address_signs_in(client: Client, login: str) -> None:
    assert sign_in(client, login).headers["Location"] == "/me"
    assert is_signed_in(client)


@pytest.mark.parametrize("login", ["bob", "nobody", "bob@example.org", "no@example.org", "\x00"])
@pytest.mark.usefixtures("bob")
def test_wrong_password_does_not_reveal_whether_the_account_exists(
    client: Client, login: str
) -> None:
    response = sign_in(client, login, "wrong-password")
    text = response.content.decode()
    assert response.status_code == 400
    assert re.search("Incorrect (username|email address) or password|Null characters", text)
    assert "wrong-password" not in text
    assert not is_signed_in(client)


def test_closed_account_cannot_sign_in(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    response = sign_in(client, "bob")
    assert "This account is closed" in client.get(response.headers["Location"]).content.decode()
    assert not is_signed_in(client)


@pytest.mark.usefixtures("bob")
def test_failed_attempts_are_limited(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    for _ in range(5):
        sign_in(client, "bob", "wrong")
    assert "Too many failed attempts" in sign_in(client, "bob").content.decode()
    assert not is_signed_in(client)


def test_signing_out_needs_confirmation(bob_client: Client) -> None:
    assert "You are signed in as" in bob_client.get("/accounts/logout/").content.decode()
    assert is_signed_in(bob_client)
    bob_client.post("/accounts/logout/")
    assert not is_signed_in(bob_client)


def test_forms_need_a_csrf_token(bob: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert sign_in(strict, "bob").status_code == 403
    strict.force_login(bob)
    assert strict.post("/accounts/logout/").status_code == 403


def test_staff_is_redirected_back_to_the_admin(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    url = "/admin/registry/tag/"
    response = client.get(url, follow=True)
    assert response.redirect_chain[-1][0] == "/accounts/login/?next=/admin/registry/tag/"
    assert sign_in(client, "bob", next=url).headers["Location"] == url
    assert client.get(url).status_code == 200
    assert client.get(f"/admin/login/?next={url}").headers["Location"] == url
    assert client.get("/admin/login/?next=//evil.example").headers["Location"] == "/admin/"


def test_other_users_can_switch_to_a_staff_account(bob_client: Client) -> None:
    response = bob_client.get("/admin/registry/tag/", follow=True)
    text = response.content.decode()
    assert response.status_code == 403
    assert "signed in as bob, which is not a staff account" in text
    assert 'value="/accounts/login/?next=/admin/registry/tag/"' in text


def test_admin_links_to_the_account_pages(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    client.force_login(bob)
    page = client.get("/admin/").content.decode()
    assert 'href="/accounts/password/change/"' in page
    assert 'action="/accounts/logout/"' in page
    assert client.get("/admin/logout/").headers["Location"] == "/accounts/logout/"
    password_url = client.get("/admin/password_change/").headers["Location"]
    assert password_url == "/accounts/password/change/"


def test_changing_the_password_signs_out_other_browsers(bob_client: Client, bob: User) -> None:
    other = Client()
    sign_in(other, "bob")
    fields = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    bob_client.post("/accounts/password/change/", fields)
    bob.refresh_from_db()
    assert bob.check_password(NEW_PASSWORD)
    assert (is_signed_in(bob_client), is_signed_in(other)) == (True, False)
    event = Event.objects.latest("number")
    assert (event.action, event.actor) == ("account.password_set", bob)
    assert NEW_PASSWORD not in event.detail


def test_changing_the_password_needs_the_current_one(bob_client: Client, bob: User) -> None:
    fields = {"oldpassword": "wrong", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    response = bob_client.post("/accounts/password/change/", fields)
    assert response.status_code == 400
    assert "Incorrect password" in response.content.decode()
    bob.refresh_from_db()
    assert bob.check_password(PASSWORD)


def test_password_reset_is_unavailable_without_email(visit: Visitor) -> None:
    page = visit("/accounts/password/reset/")
    assert page.status == 200
    assert "This registry sends no email" in page.text
    assert visit.client.post("/accounts/password/reset/", {"email": "a@b.c"}).status_code == 200


@pytest.mark.usefixtures("bob", "email_enabled")
def test_password_is_reset_by_email(client: Client, bob: User) -> None:
    response = client.post("/accounts/password/reset/", {"email": "bob@example.org"}, follow=True)
    assert "Check your email" in response.content.decode()
    form = client.get(mailed_path(), follow=True)
    path = form.redirect_chain[-1][0]
    response = client.post(
        path, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}, follow=True
    )
    assert "Your password is set" in response.content.decode()
    bob.refresh_from_db()
    assert bob.check_password(NEW_PASSWORD)
    assert account_events()[-1] == "account.password_set"
    response = client.get(path, follow=True)
    assert "This link is no longer valid" in response.content.decode()


@pytest.mark.usefixtures("email_enabled")
def test_password_reset_does_not_reveal_unknown_addresses(client: Client) -> None:
    path = "/accounts/password/reset/"
    response = client.post(path, {"email": "stranger@example.org"}, follow=True)
    assert "Check your email" in response.content.decode()
    assert not deliver()
    assert not OutgoingMail.objects.exists()


@pytest.mark.usefixtures("email_enabled", "bob")
@pytest.mark.parametrize(("is_secure", "start"), [(True, "https://"), (False, "http://")])
def test_link_leads_to_the_host_that_was_asked(settings: Any, is_secure: bool, start: str) -> None:
    settings.ALLOWED_HOSTS = ["registry.example.org"]
    client = Client(headers={"host": "registry.example.org:8443"})
    path = "/accounts/password/reset/"
    client.post(path, {"email": "bob@example.org"}, secure=is_secure)
    (mail,) = deliver()
    assert f"\n{start}registry.example.org:8443/accounts/password/reset/key/" in str(mail.body)


@pytest.mark.usefixtures("email_enabled", "bob")
def test_password_reset_does_the_same_whether_there_is_an_account(settings: Any) -> None:
    """So neither the answer nor its time tells who has one."""
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "10/m/ip,3/h/key,10/d/key"}
    work = []
    for number, name in enumerate(("bob", "stranger")):
        address, client = f"{name}@example.org", Client(REMOTE_ADDR=f"192.0.2.{number}")
        with CaptureQueriesContext(connection) as captured:
            client.post("/accounts/password/reset/", {"email": address})
        work.append([VALUES.sub("?", query["sql"]) for query in captured])
    assert work[0] == work[1]
    assert not any("emailaddress" in sql or "registry_user" in sql for sql in work[0])
    assert [mail.to for mail in deliver()] == [["bob@example.org"]]


def test_added_address_its_event_and_its_mail_are_one_write(
    bob_client: Client, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_user: User) -> None:
        raise Refused(Code.BUSY, "The database is away.")

    request.getfixturevalue("email_enabled")  # bob has signed in without a confirmed address
    one, two = ({"action_add": "", "email": f"{name}@example.org"} for name in ("one", "two"))
    reauthenticate(bob_client, bob_client.post("/accounts/email/", one))
    with monkeypatch.context() as patch:
        patch.setattr("registry.services.accounts.users.record_email_change", fail)
        assert bob_client.post("/accounts/email/", two).status_code == 503
    assert not EmailAddress.objects.filter(email="two@example.org").exists()
    assert [mail.to for mail in deliver()] == [["one@example.org"]]
    bob_client.post("/accounts/email/", two)
    assert [mail.to for mail in deliver()] == [["one@example.org"], ["two@example.org"]]


def test_primary_address_is_told_of_another_once_that_is_confirmed(
    bob_client: Client, bob: User, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("email_enabled")
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    response = bob_client.post("/accounts/email/", {"action_add": "", "email": "two@example.org"})
    reauthenticate(bob_client, response)
    link = mailed_path()
    assert [mail.to for mail in deliver()] == [["two@example.org"]]
    bob_client.get(link)
    assert len(deliver()) == 1
    bob_client.post(link)
    message = deliver()[-1]
    assert message.to == ["bob@example.org"]
    assert "two@example.org was added to your account" in message.body
    bob_client.post(link)
    assert len(deliver()) == 2


@pytest.mark.usefixtures("email_enabled")
def test_account_without_an_address_can_sign_in_if_email_is_enabled(client: Client) -> None:
    create_user("carol")
    sign_in(client, "carol")
    assert is_signed_in(client)


def test_changing_addresses_needs_the_password_again(bob_client: Client, bob: User) -> None:
    response = bob_client.post("/accounts/email/", {"action_add": "", "email": "two@example.org"})
    assert reauthenticate(bob_client, response).headers["Location"] == "/accounts/email/"
    bob_client.post("/accounts/email/", {"action_primary": "", "email": "two@example.org"})
    bob_client.post("/accounts/email/", {"action_remove": "", "email": "bob@example.org"})
    bob.refresh_from_db()
    assert bob.email == "two@example.org"
    page = bob_client.get("/accounts/email/").content.decode()
    assert "<td>two@example.org</td>" in page
    assert "<td>bob@example.org</td>" not in page
    assert account_events().count("account.changed") == 3
    assert "example.org" not in Event.objects.latest("number").detail


def test_confirmation_link_cannot_be_sent_without_email(bob_client: Client) -> None:
    bob_client.get("/accounts/email/")
    response = bob_client.post("/accounts/email/", {"action_send": "", "email": "bob@example.org"})
    assert response.status_code == 409
    assert "This registry sends no email" in response.content.decode()


@pytest.mark.parametrize("path", ["email", "password/change", "logout", "2fa", "reauthenticate"])
def test_account_pages_use_our_templates(bob_client: Client, path: str) -> None:
    response = bob_client.get(f"/accounts/{path}/")
    text = response.content.decode()
    assert response.status_code == 200
    assert text.count("<h1>") == 1
    assert "allauth" not in text
    assert "<style" not in text
    assert " style=" not in text
    assert 'aria-current="true">bob</a>' in text
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["email", "password/change", "2fa", "2fa/totp/activate"])
def test_account_pages_require_sign_in(client: Client, path: str) -> None:
    assert client.get(f"/accounts/{path}/").headers["Location"].startswith("/accounts/")


@pytest.mark.parametrize("path", ["social/login", "login/code", "3rdparty", "2fa/webauthn"])
def test_unused_pages_of_allauth_do_not_exist(client: Client, path: str) -> None:
    assert client.get(f"/accounts/{path}/").status_code == 404


def test_pages_never_respond_with_json(client: Client) -> None:
    response = client.get("/accounts/login/", headers={"Accept": "application/json"})
    assert response.headers["Content-Type"].startswith("text/html")


@pytest.fixture
def real_limits(settings: Any) -> None:
    """Limit attempts as in production."""
    settings.ACCOUNT_RATE_LIMITS = registry_settings.ACCOUNT_RATE_LIMITS


def fail(address: str, login: str = "bob", times: int = 5) -> None:
    """Enter a wrong password from an address."""
    for _ in range(times):
        sign_in(Client(REMOTE_ADDR=address), login, "wrong")


@pytest.mark.usefixtures("bob", "real_limits")
def test_wrong_passwords_lock_the_pair_of_account_and_network() -> None:
    fail("192.0.2.1")
    guesser, owner = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    assert "Too many failed attempts. Try again in five minutes" in (
        sign_in(guesser, "bob").content.decode()
    )
    assert not is_signed_in(guesser)
    sign_in(owner, "bob")
    assert is_signed_in(owner)


@pytest.mark.usefixtures("bob", "real_limits")
def test_four_wrong_passwords_do_not_lock() -> None:
    fail("192.0.2.1", times=4)
    client = Client(REMOTE_ADDR="192.0.2.1")
    sign_in(client, "bob")
    assert is_signed_in(client)


@pytest.mark.usefixtures("bob", "real_limits")
def test_names_of_one_account_share_its_attempts() -> None:
    fail("192.0.2.1", "BOB", times=3)
    fail("192.0.2.1", "Bob@example.org", times=2)
    client = Client(REMOTE_ADDR="192.0.2.1")
    assert "Too many failed attempts" in sign_in(client, "bob").content.decode()


@pytest.mark.usefixtures("bob", "real_limits")
def test_addresses_of_one_network_share_its_attempts() -> None:
    for number in range(5):
        fail(f"2001:db8::{number}", times=1)
    client = Client(REMOTE_ADDR="2001:db8::ffff")
    assert "Too many failed attempts" in sign_in(client, "bob").content.decode()
    assert sign_in(Client(REMOTE_ADDR="2001:db8:0:1::1"), "bob").status_code == 302


@pytest.mark.usefixtures("bob", "real_limits")
def test_a_network_has_ten_wrong_passwords_a_minute_over_all_accounts() -> None:
    for number in range(10):
        fail("192.0.2.1", f"guess-{number}", times=1)
    client = Client(REMOTE_ADDR="192.0.2.1")
    assert "Too many failed attempts" in sign_in(client, "bob").content.decode()


@pytest.mark.usefixtures("bob", "real_limits")
def test_entering_the_password_again_counts_with_signing_in() -> None:
    client = Client(REMOTE_ADDR="192.0.2.1")
    sign_in(client, "bob")
    for _ in range(5):
        client.post("/accounts/reauthenticate/", {"password": "wrong"})
    page = client.post("/accounts/reauthenticate/", {"password": PASSWORD}).content.decode()
    assert "Too many failed attempts" in page


@pytest.mark.usefixtures("bob", "email_enabled", "real_limits")
def test_password_resets_do_not_flood_an_address() -> None:
    for number in range(5):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        response = client.post("/accounts/password/reset/", {"email": "bob@example.org"})
    assert len(deliver()) == 3
    assert (response.status_code, response.headers["Retry-After"]) == (429, "3600")
    assert "try again in an hour" in response.content.decode()


@pytest.mark.usefixtures("bob", "email_enabled", "real_limits")
@pytest.mark.parametrize("address", ["bob@example.org", "stranger@example.org"])
def test_sign_ups_do_not_flood_an_address(address: str) -> None:
    for number in range(5):
        fields = {"username": f"name-{number}", "password1": PASSWORD, "password2": PASSWORD}
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        assert client.post("/accounts/signup/", {**fields, "email": address}).status_code == 302
    assert len(deliver()) == 1
