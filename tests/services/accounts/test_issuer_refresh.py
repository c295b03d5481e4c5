"""Keys of identity providers are fetched before a job needs them, for those in use only."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.models import TrustedPublisher
from registry.services.accounts import issuer_refresh, token_exchange
from registry.services.accounts.issuer_keys import IssuerKeys, fetch_keys
from tests.issuers import Issuer
from tests.trusted_publisher import fetch_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let exchanges and refreshes share keys that are not known yet."""
    shared = IssuerKeys(fetch_keys, start=fetch_at_once)
    monkeypatch.setattr(issuer_refresh, "issuer_keys", shared)
    monkeypatch.setattr("registry.services.accounts.identity_tokens.issuer_keys", shared)


@pytest.mark.usefixtures("publisher")
def test_keys_are_there_before_the_first_exchange(issuer: Issuer) -> None:
    issuer_refresh.refresh()
    issuer_refresh.refresh()
    asked = len(issuer.requests)
    token_exchange.exchange(issuer.token())
    assert len(issuer.requests) == asked == 2


def test_issuer_without_a_publisher_in_force_is_not_asked(
    issuer: Issuer, publisher: TrustedPublisher
) -> None:
    TrustedPublisher.objects.filter(pk=publisher.pk).update(revoked=timezone.now())
    issuer_refresh.refresh()
    assert not issuer.requests


@pytest.mark.usefixtures("publisher")
def test_issuer_that_left_the_list_is_not_asked(issuer: Issuer, settings: Any) -> None:
    settings.TRUSTED_ISSUERS = ["https://other.example.org"]
    with CaptureQueriesContext(connection) as captured:
        issuer_refresh.refresh()
    assert not issuer.requests
    assert len(captured) == 1


@pytest.mark.parametrize(("name", "value"), [("ADDRESS", ""), ("TRUSTED_ISSUERS", [])])
def test_no_thread_starts_where_trusted_publishing_is_off(
    settings: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr("threading.Thread.start", lambda _: pytest.fail("it started"))
    setattr(settings, name, value)
    issuer_refresh.start()
