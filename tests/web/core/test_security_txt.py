"""/.well-known/security.txt, as RFC 9116 demands."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

PATH = "/.well-known/security.txt"
CONTACTS = ["mailto:security@example.org", "https://example.org/report"]

pytestmark = pytest.mark.django_db  # error pages have a session


@pytest.fixture(autouse=True)
def contact(settings: Settings) -> None:
    settings.SECURITY_CONTACTS = CONTACTS
    settings.SECURITY_EXPIRES = datetime(2999, 6, 30, 12, 0, tzinfo=UTC)
    settings.SECURITY_POLICY = ""
    settings.ADDRESS = ""


def test_file_has_contacts_in_order_and_one_expiry(client: Client) -> None:
    response = client.get(PATH)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == (
        "Contact: mailto:security@example.org\n"
        "Contact: https://example.org/report\n"
        "Expires: 2999-06-30T12:00:00Z\n"
    )


def test_policy_and_canonical_address_are_optional(client: Client, settings: Settings) -> None:
    settings.SECURITY_POLICY = "https://example.org/policy"
    settings.ADDRESS = "https://registry.example.org"
    lines = client.get(PATH, headers={"Host": "localhost"}).content.decode().splitlines()
    assert lines[-2:] == [
        "Policy: https://example.org/policy",
        "Canonical: https://registry.example.org/.well-known/security.txt",
    ]
    assert all(re.fullmatch(r"[A-Z][A-Za-z-]+: \S+", line) for line in lines)


def test_head_has_no_body_and_other_methods_are_refused(client: Client) -> None:
    response = client.head(PATH)
    assert (response.status_code, response.content) == (200, b"")
    assert client.post(PATH).status_code == 405


def test_without_a_contact_there_is_no_file(client: Client, settings: Settings) -> None:
    settings.SECURITY_CONTACTS, settings.SECURITY_EXPIRES = [], None
    assert client.get(PATH).status_code == 404
    assert client.head(PATH).status_code == 404


def test_expired_contact_is_not_given(client: Client, settings: Settings) -> None:
    settings.SECURITY_EXPIRES = timezone.now() - timedelta(seconds=1)
    response = client.get(PATH)
    assert response.status_code == 404
    assert CONTACTS[0] not in response.content.decode()
