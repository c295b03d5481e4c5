"""The mail server and the sender; errors do not show passwords."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry.environment import mail
from registry.environment.mail import Mail


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", Mail()),
        ("smtp://mail.example.org", Mail("mail.example.org", 25)),
        ("smtp://mail.example.org?tls=1", Mail("mail.example.org", 587, starttls=True)),
        ("smtps://mail.example.org/", Mail("mail.example.org", 465, tls=True)),
        (
            "smtp://me%40example.org:a%2Fb%3F@[::1]:2525?tls=0",
            Mail("::1", 2525, "me@example.org", "a/b?"),
        ),
    ],
)
def test_mail_url_is_parsed(url: str, expected: Mail) -> None:
    assert mail.mail(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://me:hunter2@mail.example.org",
        "smtp://",
        "smtp://me:hunter2@mail.example.org:port",
        "smtp://me:hunter2@mail.example.org:99999",
        "smtp://me:hunter2@[::1",
        "smtp://me:hunter2@mail.example.org/inbox",
        "smtp://me:hunter2@mail.example.org?tls=yes",
        "smtp://me:hunter2@mail.example.org?ssl=1",
        "smtps://me:hunter2@mail.example.org?tls=1",  # which of both?
        "smtp://me:hunter2@mail.example.org?tls",
        "smtp://me:hunter2@mail.example.org#tls=1",
        "me:hunter2@mail.example.org",
    ],
)
def test_invalid_mail_url_is_rejected_without_showing_it(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL must read smtp://") as refused:
        mail.mail(url)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("value", ["registry@example.org", "The Registry <registry@example.org>"])
def test_sender_is_an_address_with_or_without_a_name(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("EMAIL_FROM", value)
    assert mail.sender("EMAIL_FROM", required=True) == value


@pytest.mark.parametrize(
    "value",
    [
        *("", "registry", "The Registry <registry>", "a <a@example.org>, b <b@example.org>"),
        "registry@example.org\nBcc: other@example.org",
    ],
)
def test_mail_needs_a_sender(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EMAIL_FROM", value)
    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM must be the sender of mail"):
        mail.sender("EMAIL_FROM", required=True)


def test_sender_is_optional_without_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMAIL_FROM", raising=False)
    assert mail.sender("EMAIL_FROM", required=False) == ""
