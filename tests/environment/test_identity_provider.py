"""The identity provider, from environment variables: whole, or not at all."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from registry.environment.identity_provider import identity_provider

WHOLE = {
    "issuer": "https://id.example.org",
    "client_id": "registry",
    "secret": "hidden",
    "name": "",
}


def test_without_values_there_is_none() -> None:
    assert identity_provider("", "", "", "") is None


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "id.example.org"),
        ({"name": "Example Id"}, "Example Id"),
        ({"issuer": "http://127.0.0.1:8080"}, "127.0.0.1:8080"),
    ],
)
def test_name_is_that_of_the_host_unless_stated(more: dict[str, str], name: str) -> None:
    provider = identity_provider(**WHOLE | more)
    assert provider is not None
    assert provider.name == name
    assert "hidden" not in repr(provider)


@pytest.mark.parametrize(
    "left", [["issuer"], ["issuer", "client_id"], ["client_id", "secret"], ["secret"]]
)
def test_half_a_provider_is_refused(left: list[str]) -> None:
    values = {name: value if name in left else "" for name, value in WHOLE.items()}
    with pytest.raises(ImproperlyConfigured, match="must be set together") as error:
        identity_provider(**values)
    assert "hidden" not in str(error.value)


def test_a_name_alone_is_no_provider() -> None:
    with pytest.raises(ImproperlyConfigured, match="must be set together"):
        identity_provider("", "", "", "Example Id")


@pytest.mark.parametrize(
    "changed",
    [
        *({"issuer": text} for text in ("http://id.example.org", "id.example.org", "ftp://a.b")),
        *({"issuer": text} for text in ("https://a@id.example.org", "https://id.example.org/?x")),
        {"issuer": f"https://id.example.org/{'x' * 200}"},
        {"name": "x" * 41},
        {"name": "two\nlines"},
    ],
)
def test_other_values_are_refused(changed: dict[str, str]) -> None:
    expected = r"must (be an https URL|have at most 40)"
    with pytest.raises(ImproperlyConfigured, match=expected) as error:
        identity_provider(**WHOLE | changed)
    assert "hidden" not in str(error.value)
