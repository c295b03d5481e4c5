"""The session engine: lifetimes, and the columns that limits need."""

from datetime import timedelta

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from registry.http.sessions import SessionStore
from registry.models import Session, User
from registry.services.accounts import sessions

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def saved(**data: str) -> Session:
    store = SessionStore()
    store.update(data)
    store.save()
    return Session.objects.get(pk=store.session_key)


def test_a_visitors_session_lasts_an_hour() -> None:
    session = saved(network="192.0.2.1", text="x" * 100)
    assert abs(session.expire_date - timezone.now() - timedelta(hours=1)) < MINUTE
    assert (session.account, session.network) == (None, "192.0.2.1")
    assert session.size == len(session.session_data) + sessions.ROW_SIZE
    assert session.get_decoded()["text"] == "x" * 100


def test_an_accounts_session_lasts_two_weeks(alice: User) -> None:
    session = saved(network="192.0.2.1", **{SESSION_KEY: str(alice.pk)})
    assert abs(session.expire_date - timezone.now() - timedelta(days=14)) < MINUTE
    assert (session.account, session.network) == (alice, "")


def test_the_cookie_of_a_visitor_lasts_as_long_as_the_session(client: Client) -> None:
    response = client.post("/me/tokens", {"label": "x"})
    assert response.cookies["sessionid"]["max-age"] == 3600


def test_signing_in_gives_the_session_to_the_account(client: Client, alice: User) -> None:
    client.post("/me/tokens", {"label": "x"})
    assert Session.objects.get().account is None
    client.force_login(alice)
    assert Session.objects.get().account == alice


def test_a_new_session_deletes_expired_ones() -> None:
    old = saved(text="old")
    Session.objects.update(expire_date=timezone.now() - MINUTE)
    saved(text="new")
    assert not Session.objects.filter(pk=old.pk).exists()


def test_signing_in_ends_the_sessions_beyond_the_limit(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 2)
    browsers = [Client() for _ in range(3)]
    for number, browser in enumerate(browsers):
        browser.force_login(alice)
        Session.objects.filter(pk=browser.session.session_key).update(
            expire_date=timezone.now() + timedelta(days=number + 1)
        )
    browsers[2].session.save()
    assert Session.objects.filter(account=alice).count() == 2
    statuses = [browser.get("/me/tokens").status_code for browser in browsers]
    assert statuses == [302, 200, 200]


def test_deleting_an_account_deletes_its_sessions(db: None) -> None:
    user = User.objects.create_user("bob")
    saved(**{SESSION_KEY: str(user.pk)})
    user.delete()
    assert not Session.objects.exists()
