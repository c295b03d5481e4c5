"""URLs from environment variables."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry.environment import addresses


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
    assert addresses.origin("REGISTRY_ADDRESS") == address


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
        addresses.origin("REGISTRY_ADDRESS")


def test_contacts_are_uris(monkeypatch: pytest.MonkeyPatch) -> None:
    uris = ["mailto:security@example.org", "https://example.org/report", "tel:+1-201-555-0123"]
    monkeypatch.setenv("SOME", ", ".join(uris))
    assert addresses.contacts("SOME") == uris
    monkeypatch.setenv("SOME", "")
    assert addresses.contacts("SOME") == []


@pytest.mark.parametrize(
    "value",
    ["security@example.org", "http://example.org", "mailto:x", "mailto:a@b\nExpires: x", "tel:x"],
)
def test_other_contacts_are_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must list mailto, https or tel URIs"):
        addresses.contacts("SOME")


@pytest.mark.parametrize(
    "value",
    [
        "http://192.0.2.10:6081/",
        "https://cache.example.org/purge, http://[2001:db8::1]:6081",
        "http://cache",
    ],
)
def test_caches_are_urls(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    assert addresses.caches("SOME") == value.split(", ")


@pytest.mark.parametrize(
    "value",
    [
        *("192.0.2.10:6081", "ftp://cache/", "http://", "http://a b/", "http://user@cache/"),
        *("http://cache/?x=1", "http://cache/#x", "http://cache:port/", 'http://cache/"'),
        "http://cache/, http://cache/",
    ],
)
def test_other_caches_are_rejected(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match=r"^SOME (must list http|lists a)"):
        addresses.caches("SOME")


def test_page_is_an_https_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME", "https://example.org/policy")
    assert addresses.page("SOME") == "https://example.org/policy"
    monkeypatch.setenv("SOME", "http://example.org/policy")
    with pytest.raises(ImproperlyConfigured, match="SOME must be an https URL"):
        addresses.page("SOME")


@pytest.mark.parametrize(
    "value",
    ["registry.example.org", ".example.org, 127.0.0.1", "*", "[::1]", "Registry.Example.org"],
)
def test_hosts_are_names(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME", value)
    assert addresses.hosts("SOME", "localhost") == value.split(", ")


@pytest.mark.parametrize(
    "value",
    [
        *("https://registry.example.org", "registry.example.org:8000", "registry.example.org/"),
        *("*.example.org", "a.example b.example", "registry.example.org.", "::1", "größe.example"),
        "localhost, https://registry.example.org",
    ],
)
def test_hosts_that_no_request_can_have_are_rejected(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("SOME", value)
    with pytest.raises(ImproperlyConfigured, match="SOME must list host names"):
        addresses.hosts("SOME", "localhost")
