"""Readers of environment variables: invalid values are rejected without showing passwords."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry import environment
from registry.environment import Mail


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    monkeypatch.setenv("SOME", blank)
    assert environment.text("SOME", "default") == "default"
    assert environment.flag("SOME") is False
    assert environment.count("SOME", 7) == 7
    assert environment.choice("SOME", "first", "second") == "first"
    assert environment.comma_separated("SOME", "a, b") == ["a", "b"]


def test_surrounding_whitespace_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME", " 1 ")
    assert environment.flag("SOME") is True
    assert environment.count("SOME", 7) == 1
    monkeypatch.setenv("SOME", " a,, b ")
    assert environment.comma_separated("SOME", "") == ["a", "b"]


@pytest.mark.parametrize("value", ["1_0", "+1", "1.0", "\u0661", "0x1", "{input}"])
@pytest.mark.parametrize("read", [environment.count, environment.positive_count, environment.rate])
def test_numbers_are_plain_digits(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str, int], object], value: str
) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match=r"^SOME must be a .*whole number") as refused:
        read("SOME", 1)
    assert repr(value) in str(refused.value)


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
    assert environment.mail(url) == expected


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
        "smtp://me:hunter2@mail.example.org?tls",
        "smtp://me:hunter2@mail.example.org#tls=1",
        "me:hunter2@mail.example.org",
    ],
)
def test_invalid_mail_url_is_rejected_without_showing_it(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL must read smtp://") as refused:
        environment.mail(url)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("value", ["registry@example.org", "The Registry <registry@example.org>"])
def test_sender_is_an_address_with_or_without_a_name(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("EMAIL_FROM", value)
    assert environment.sender("EMAIL_FROM", required=True) == value


@pytest.mark.parametrize("value", ["", "registry", "The Registry <registry>"])
def test_mail_needs_a_sender(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EMAIL_FROM", value)
    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM must be the sender of mail"):
        environment.sender("EMAIL_FROM", required=True)


def test_sender_is_optional_without_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMAIL_FROM", raising=False)
    assert environment.sender("EMAIL_FROM", required=False) == ""


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", ""),
        ("https://registry.example.org", "https://registry.example.org"),
        ("https://Registry.Example.org:443/", "https://registry.example.org"),
        ("https://registry.example.org:8443", "https://registry.example.org:8443"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_address_is_that_which_clients_ask(
    text: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTRY_ADDRESS", text)
    assert environment.origin("REGISTRY_ADDRESS") == address


@pytest.mark.parametrize(
    "text",
    [
        *("registry.example.org", "http://registry.example.org", "https://", "ftp://a.example.org"),
        *("https://a.example.org/x", "https://a.example.org/?x", "https://a.example.org#x"),
        *("https://user@a.example.org", "https://a.example.org:port", "https://[::1"),
    ],
)
def test_address_that_is_no_https_url_of_a_host_is_rejected(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTRY_ADDRESS", text)
    with pytest.raises(ImproperlyConfigured, match=r"REGISTRY_ADDRESS must be the https URL"):
        environment.origin("REGISTRY_ADDRESS")


def test_contacts_are_uris(monkeypatch: pytest.MonkeyPatch) -> None:
    uris = ["mailto:security@example.org", "https://example.org/report", "tel:+1-201-555-0123"]
    monkeypatch.setenv("SOME", ", ".join(uris))
    assert environment.contacts("SOME") == uris
    monkeypatch.setenv("SOME", "")
    assert environment.contacts("SOME") == []


@pytest.mark.parametrize(
    "value",
    ["security@example.org", "http://example.org", "mailto:x", "mailto:a@b\nExpires: x", "tel:x"],
)
def test_other_contacts_are_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must list mailto, https or tel URIs"):
        environment.contacts("SOME")


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("", None),
        ("2027-06-30", datetime(2027, 6, 30, tzinfo=UTC)),
        ("2027-06-30T12:00:00Z", datetime(2027, 6, 30, 12, tzinfo=UTC)),
        ("2027-06-30T12:00:00+02:00", datetime(2027, 6, 30, 10, tzinfo=UTC)),
    ],
)
def test_instants_are_in_utc(
    monkeypatch: pytest.MonkeyPatch, value: str, moment: datetime | None
) -> None:
    monkeypatch.setenv("SOME", value)
    assert environment.instant("SOME") == moment


@pytest.mark.parametrize("value", ["soon", "2027-13-01", "30.6.2027", "0"])
def test_other_instants_are_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must be a date or a time"):
        environment.instant("SOME")


def test_page_is_an_https_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME", "https://example.org/policy")
    assert environment.page("SOME") == "https://example.org/policy"
    monkeypatch.setenv("SOME", "http://example.org/policy")
    with pytest.raises(ImproperlyConfigured, match="SOME must be an https URL"):
        environment.page("SOME")
