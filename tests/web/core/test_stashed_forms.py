"""Forms that are kept while somebody signs in, and their limits."""

import html
from typing import Any

import pytest
from django.test import Client

from registry.http.rate_limits import ACCOUNT, ANONYMOUS
from registry.http.typed_fields import SECRET_FIELDS
from registry.models import Session, User
from registry.services.accounts import sessions
from registry.web.core import stashed_forms
from tests.web.accounts.accounts import create_user, sign_in

pytestmark = pytest.mark.django_db
PATH = "/me/tokens"
OURS = {"Origin": "http://testserver"}


@pytest.fixture
def strict() -> Client:
    """Return a browser whose forms have no CSRF token."""
    return Client(enforce_csrf_checks=True)


def text(response: Any) -> str:
    return html.unescape(response.content.decode())


def test_a_form_is_restored_after_sign_in(client: Client) -> None:
    create_user("bob")
    response = client.post(PATH, {"label": "My label"})
    assert response.headers["Location"] == "/accounts/login/?next=/me/tokens"
    sign_in(client, "bob", next=PATH)
    assert 'value="My label"' in client.get(PATH).content.decode()
    assert 'value="My label"' not in client.get(PATH).content.decode()
    assert stashed_forms.KEY not in client.session


def test_a_form_as_large_as_a_real_one_is_kept(client: Client) -> None:
    body = '{"model": "é"}\n' * 4000
    client.post("/submit", {"do": "save", "mode": "json", "body": body, "message": "m" * 2000})
    assert (
        body.splitlines()[0]
        in stashed_forms.QueryDict(client.session[stashed_forms.KEY]["typed"])["body"]
    )


def test_a_larger_form_is_shown_instead_of_kept(client: Client) -> None:
    response = client.post(PATH, {"label": "<My label>", "note": "é" * stashed_forms.MAX_FORM})
    assert response.status_code == 413
    page = text(response)
    assert "at most 131072 are kept" in page
    assert "<My label>" in page
    assert "<My label>" not in response.content.decode()
    assert 'href="/accounts/login/?next=/me/tokens"' in page
    assert not Session.objects.exists()


def test_visitors_forms_are_counted_by_the_limiter(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, ANONYMOUS.name, 1)
    assert client.post(PATH, {"label": "first"}).status_code == 302
    response = client.post(PATH, {"label": "second"})
    assert response.status_code == 429
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert "second" in text(response)
    assert "first" in client.session[stashed_forms.KEY]["typed"]


def test_a_form_is_counted_once(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, ANONYMOUS.name, 1)
    form = {"do": "submit", "mode": "json", "tag": "acme/x", "body": '{"kind": "llvm"}'}
    assert client.post("/submit", form).status_code == 302


@pytest.mark.parametrize("limit", ["MAX_NETWORK_SIZE", "MAX_VISITORS_SIZE"])
def test_a_form_without_room_is_shown(
    client: Client, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(sessions, limit, 3000)
    assert client.post(PATH, {"label": "first"}).status_code == 302
    response = Client().post(PATH, {"label": "second" + "x" * 2500})
    assert response.status_code == 429
    assert response.headers["Retry-After"] == "3600"
    assert "Too many forms wait" in text(response) or "too many forms" in text(response)
    assert "second" in text(response)
    assert Session.objects.count() == 1


def test_secrets_are_neither_kept_nor_shown(strict: Client) -> None:
    for field in SECRET_FIELDS:
        response = strict.post("/me/tokens", {"label": "bob", field: "correct-horse"}, headers=OURS)
        assert response.status_code == 403
        assert "correct-horse" not in text(response)
        assert ">bob</textarea>" in text(response).replace("\n", "")
        assert not Session.objects.exists()


@pytest.mark.parametrize("path", ["/accounts/login/", "/admin/registry/tag/"])
def test_a_form_that_its_page_would_not_restore_is_shown(strict: Client, path: str) -> None:
    response = strict.post(path, {"login": "bob"}, headers=OURS)
    assert response.status_code == 403
    assert "The registry does not keep this form" in text(response)
    assert "your input is still there" not in text(response)
    assert not Session.objects.exists()


def test_a_form_without_a_csrf_token_is_kept(strict: Client, alice: User) -> None:
    strict.force_login(alice)
    response = strict.post(PATH, {"label": "My label"}, headers=OURS)
    assert "your input is still there" in text(response)
    assert 'value="My label"' in strict.get(PATH).content.decode()


def test_a_page_that_was_signed_out_elsewhere_says_so_in_words(strict: Client, alice: User) -> None:
    strict.force_login(alice)
    page = text(strict.post(PATH, {"label": "My label"}, headers=OURS))
    assert "You signed in or out since this page was opened" in page
    assert "CSRF" not in page


def test_a_form_of_another_site_is_neither_kept_nor_shown(strict: Client) -> None:
    response = strict.post(PATH, {"label": "theirs"}, headers={"Origin": "https://evil.example"})
    assert response.status_code == 403
    assert "theirs" not in text(response)
    assert not Session.objects.exists()


def test_forms_of_accounts_are_limited_too(
    strict: Client, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict.force_login(alice)
    monkeypatch.setattr(stashed_forms, "MAX_FORM", 10)
    response = strict.post(PATH, {"label": "far too long"}, headers=OURS)
    assert "at most 10 are kept" in text(response)
    assert "far too long" in text(response)
    monkeypatch.setitem(settings.RATE_LIMITS, ACCOUNT.name, 1)
    strict.post(PATH, {"label": "one"}, headers=OURS)
    response = strict.post(PATH, {"label": "two"}, headers=OURS)
    assert "One account may send 1 requests a minute" in text(response)


@pytest.mark.parametrize("path", ["email", "password/reset", "login", "signup"])
def test_forms_of_account_pages_are_small(client: Client, alice: User, path: str) -> None:
    if path == "email":
        client.force_login(alice)
    response = client.post(f"/accounts/{path}/", {"email": "x" * 17_000})
    assert response.status_code == 413
