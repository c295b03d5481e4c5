"""Signing in, by name and by address; the same way to the admin; passwords, addresses."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client

from registry.models import Event, User
from tests.web.accounts.accounts import (
    OTHER,
    PASSWORD,
    actions,
    confirm,
    is_in,
    link,
    made,
    mailing,
    sign_in,
)
from tests.web.conftest import Visitor

__all__ = ["mailing"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(db: None) -> User:
    return made(email="bob@example.org")


@pytest.fixture
def inside(client: Client, bob: User) -> Client:
    sign_in(client, "bob")
    return client


@pytest.mark.parametrize("login", ["bob", "BOB", " bob ", "bob@example.org", "Bob@Example.org"])
@pytest.mark.usefixtures("bob")
def test_name_and_address_sign_in(client: Client, login: str) -> None:
    assert sign_in(client, login).headers["Location"] == "/me"
    assert is_in(client)


@pytest.mark.parametrize("login", ["bob", "nobody", "bob@example.org", "no@example.org", "\x00"])
@pytest.mark.usefixtures("bob")
def test_a_wrong_password_says_no_more_than_that(client: Client, login: str) -> None:
    response = sign_in(client, login, "wrong-password")
    text = response.content.decode()
    assert response.status_code == 422
    assert "No account has this" in text or "Null characters" in text
    assert "wrong-password" not in text
    assert not is_in(client)


def test_a_closed_account_does_not_sign_in(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    response = sign_in(client, "bob")
    assert "This account is closed" in client.get(response.headers["Location"]).content.decode()
    assert not is_in(client)


@pytest.mark.usefixtures("bob")
def test_guessing_ends(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    for _ in range(5):
        sign_in(client, "bob", "wrong")
    assert "Too many failed attempts" in sign_in(client, "bob").content.decode()
    assert not is_in(client)


def test_signing_out_asks_first(inside: Client) -> None:
    assert "You are signed in as" in inside.get("/accounts/logout/").content.decode()
    assert is_in(inside)
    inside.post("/accounts/logout/")
    assert not is_in(inside)


def test_forms_need_a_csrf_token(bob: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert sign_in(strict, "bob").status_code == 403
    strict.force_login(bob)
    assert strict.post("/accounts/logout/").status_code == 403


def test_staff_comes_back_to_where_it_wanted_in_the_admin(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    wanted = "/admin/registry/tag/"
    response = client.get(wanted, follow=True)
    assert response.redirect_chain[-1][0] == "/accounts/login/?next=/admin/registry/tag/"
    assert sign_in(client, "bob", next=wanted).headers["Location"] == wanted
    assert client.get(wanted).status_code == 200
    assert client.get(f"/admin/login/?next={wanted}").headers["Location"] == wanted
    assert client.get("/admin/login/?next=//evil.example").headers["Location"] == "/admin/"


def test_who_is_not_staff_is_told_so_and_can_be_somebody_else(inside: Client) -> None:
    response = inside.get("/admin/registry/tag/", follow=True)
    text = response.content.decode()
    assert response.status_code == 403
    assert "bob, who is not staff" in text
    assert 'value="/accounts/login/?next=/admin/registry/tag/"' in text


def test_the_admin_leads_to_the_same_pages(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    client.force_login(bob)
    page = client.get("/admin/").content.decode()
    assert 'href="/accounts/password/change/"' in page
    assert 'action="/accounts/logout/"' in page
    assert client.get("/admin/logout/").headers["Location"] == "/accounts/logout/"
    changed = client.get("/admin/password_change/").headers["Location"]
    assert changed == "/accounts/password/change/"


def test_a_password_is_changed_and_other_browsers_are_out(inside: Client, bob: User) -> None:
    other = Client()
    sign_in(other, "bob")
    typed = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    inside.post("/accounts/password/change/", typed)
    bob.refresh_from_db()
    assert bob.check_password(OTHER)
    assert (is_in(inside), is_in(other)) == (True, False)
    event = Event.objects.latest("number")
    assert (event.action, event.actor) == ("account.password_set", bob)
    assert OTHER not in event.detail


def test_only_who_knows_the_password_changes_it(inside: Client, bob: User) -> None:
    typed = {"oldpassword": "wrong", "password1": OTHER, "password2": OTHER}
    response = inside.post("/accounts/password/change/", typed)
    assert response.status_code == 422
    assert "This is not your password" in response.content.decode()
    bob.refresh_from_db()
    assert bob.check_password(PASSWORD)


def test_without_mail_a_forgotten_password_is_the_operators(visit: Visitor) -> None:
    page = visit("/accounts/password/reset/")
    assert page.status == 200
    assert "This registry sends no email" in page.text
    assert visit.client.post("/accounts/password/reset/", {"email": "a@b.c"}).status_code == 200


@pytest.mark.usefixtures("bob", "mailing")
def test_with_mail_a_forgotten_password_is_set_anew(client: Client, bob: User) -> None:
    response = client.post("/accounts/password/reset/", {"email": "bob@example.org"}, follow=True)
    assert "Check your email" in response.content.decode()
    form = client.get(link(), follow=True)
    path = form.redirect_chain[-1][0]
    done = client.post(path, {"password1": OTHER, "password2": OTHER}, follow=True)
    assert "Your password is set" in done.content.decode()
    bob.refresh_from_db()
    assert bob.check_password(OTHER)
    assert actions()[-1] == "account.password_set"
    again = client.get(path, follow=True)
    assert "This link is no longer valid" in again.content.decode()


@pytest.mark.usefixtures("mailing")
def test_a_strangers_address_gets_no_mail_and_is_not_told_apart(client: Client) -> None:
    path = "/accounts/password/reset/"
    response = client.post(path, {"email": "stranger@example.org"}, follow=True)
    assert "Check your email" in response.content.decode()
    assert not mail.outbox


@pytest.mark.usefixtures("mailing")
def test_an_account_without_an_address_signs_in_where_mail_is_sent(client: Client) -> None:
    made("carol")
    sign_in(client, "carol")
    assert is_in(client)


def test_addresses_change_for_who_shows_again_that_it_is_them(inside: Client, bob: User) -> None:
    first = inside.post("/accounts/email/", {"action_add": "", "email": "two@example.org"})
    assert confirm(inside, first).headers["Location"] == "/accounts/email/"
    inside.post("/accounts/email/", {"action_primary": "", "email": "two@example.org"})
    inside.post("/accounts/email/", {"action_remove": "", "email": "bob@example.org"})
    bob.refresh_from_db()
    assert bob.email == "two@example.org"
    page = inside.get("/accounts/email/").content.decode()
    assert "<td>two@example.org</td>" in page
    assert "<td>bob@example.org</td>" not in page
    assert actions().count("account.changed") == 3
    assert "example.org" not in Event.objects.latest("number").detail


def test_without_mail_no_link_is_sent(inside: Client) -> None:
    inside.get("/accounts/email/")
    response = inside.post("/accounts/email/", {"action_send": "", "email": "bob@example.org"})
    assert response.status_code == 409
    assert "This registry sends no mail" in response.content.decode()


@pytest.mark.parametrize("path", ["email", "password/change", "logout", "2fa", "reauthenticate"])
def test_pages_of_accounts_are_ours(inside: Client, path: str) -> None:
    response = inside.get(f"/accounts/{path}/")
    text = response.content.decode()
    assert response.status_code == 200
    assert text.count("<h1>") == 1
    assert "allauth" not in text
    assert "<style" not in text
    assert " style=" not in text
    assert 'aria-current="true">bob</a>' in text
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["email", "password/change", "2fa", "2fa/totp/activate"])
def test_pages_of_accounts_are_for_who_is_in(client: Client, path: str) -> None:
    assert client.get(f"/accounts/{path}/").headers["Location"].startswith("/accounts/")


@pytest.mark.parametrize("path", ["social/login", "login/code", "3rdparty", "2fa/webauthn"])
def test_what_is_not_used_is_not_there(client: Client, path: str) -> None:
    assert client.get(f"/accounts/{path}/").status_code == 404


def test_pages_answer_no_json(client: Client) -> None:
    response = client.get("/accounts/login/", headers={"Accept": "application/json"})
    assert response.headers["Content-Type"].startswith("text/html")
