"""Fixtures for a trusted publisher and its issuer; a conftest imports them."""

from collections.abc import Callable, Iterator

import pytest
from pytest_django.fixtures import Settings

from registry.models import Namespace, TrustedPublisher, User
from registry.services.accounts import identity_tokens
from registry.services.accounts.issuer_keys import IssuerKeys, fetch_keys
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import trusted_publishers
from tests.issuers import Issuer, run_issuer

CLAIMS = {"sub": "repo:acme/targets:environment:release"}


def fetch_at_once(fetch: Callable[[], None]) -> None:
    """Fetch keys in the thread of the test, so that it need not wait for another."""
    fetch()


@pytest.fixture
def issuer(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:
    """Yield an issuer that the settings list, whose keys are not known yet."""
    with run_issuer() as running:
        settings.TRUSTED_ISSUERS = [running.address]
        monkeypatch.setattr(
            identity_tokens, "issuer_keys", IssuerKeys(fetch_keys, start=fetch_at_once)
        )
        yield running


@pytest.fixture
def publisher(issuer: Issuer, acme: Namespace, alice: User) -> TrustedPublisher:
    """Return a trusted publisher that Alice, an owner of acme, has registered."""
    return trusted_publishers.register_publisher(
        acme,
        issuer=issuer.address,
        claims=CLAIMS,
        scopes=[Scope.PUBLISH],
        pattern="acme",
        actor=Actor(alice),
    )
