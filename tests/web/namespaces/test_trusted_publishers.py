"""The pages for trusted publishers."""

from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Tag
from registry.models import Namespace, Role, TrustedPublisher
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from registry.services.versions import publishing
from tests.web.accounts.accounts import create_user, reauthenticate, sign_in
from tests.web.conftest import Page

pytestmark = pytest.mark.django_db

PATH = "/manage/acme/trusted-publishers"
FORM: dict[str, Any] = {
    "issuer": GITHUB,
    "claims": " repository=acme/targets\r\n\r\nrepository_owner_id = 42\r\n",
    "scopes": ["publish"],
    "pattern": "acme/boards/*",
}


@pytest.fixture
def owner(client: Client, acme: Namespace) -> Client:
    """Return a client signed in with a password, as an owner of acme."""
    bob = create_user("bob")
    members.grant_role(acme, bob, Role.OWNER, actor=Actor.operator(bob))
    sign_in(client, "bob")
    return client


def test_owner_registers_a_publisher_after_the_password(owner: Client) -> None:
    assert PATH in Page("/manage/acme", owner).links
    response = owner.post(PATH, FORM)
    assert not TrustedPublisher.objects.exists()
    response = reauthenticate(owner, response)
    publisher = TrustedPublisher.objects.get()
    assert publisher.required_claims == {"repository": "acme/targets", "repository_owner_id": "42"}
    assert (publisher.issuer, publisher.pattern) == (GITHUB, "acme/boards/*")
    page = Page(PATH, owner)
    assert "Jobs of acme/targets for acme/boards/* are trusted now." in page.text
    assert "repository_owner_id=42" in page.text
    assert "bob" in page.text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"claims": "repository"}, "repository is not name=value"),
        ({"claims": "sub=a\nsub=b"}, "sub stands twice"),
        ({"claims": "sub=a"}, "the claim repository is missing"),
        ({"pattern": "arm"}, "arm is not a pattern of names in acme"),
    ],
)
def test_invalid_form_keeps_its_input(owner: Client, changes: dict[str, str], message: str) -> None:
    response = reauthenticate(owner, owner.post(PATH, {**FORM, **changes}))
    html = response.content.decode()
    assert response.status_code == 400
    assert message in html
    assert "acme" in html
    assert not TrustedPublisher.objects.exists()


def test_revoking_asks_first(owner: Client) -> None:
    reauthenticate(owner, owner.post(PATH, FORM))
    path = f"{PATH}/{TrustedPublisher.objects.get().pk}/revoke"
    assert path in Page(PATH, owner).links
    assert "acme/targets" in Page(path, owner).text
    assert TrustedPublisher.objects.get().revoked is None
    owner.post(path)
    assert TrustedPublisher.objects.get().revoked
    assert "acme has no trusted publishers." in Page(PATH, owner).text
    assert owner.get(path).status_code == 404


def test_event_log_tells_a_publisher_from_its_registrar(owner: Client) -> None:
    reauthenticate(owner, owner.post(PATH, FORM))
    publisher = TrustedPublisher.objects.get()
    _, token = tokens.create_token(
        publisher.registrar,
        label="trusted publisher",
        scopes=["publish"],
        pattern="acme",
        expires=None,
        publisher=publisher,
    )
    body = '{"kind": "llvm", "mcpu": "haswell"}'
    actor = Actor(publisher.registrar, token)
    publishing.publish(Tag.parse("acme/board"), body, message="", actor=actor, expected=None)
    log = Page("/events?namespace=acme", owner).text
    claims = "repository=acme/targets, repository_owner_id=42"
    assert f"bob registered a trusted publisher of acme {claims}" in log
    assert f"bob published acme/board@1.0.0 by trusted publisher {publisher.pk}" in log


def test_page_says_that_it_is_switched_off(owner: Client, settings: Settings) -> None:
    settings.TRUSTED_ISSUERS = []
    assert "switched trusted publishing off" in Page(PATH, owner).text


def test_number_of_queries_does_not_grow(owner: Client) -> None:
    reauthenticate(owner, owner.post(PATH, FORM))
    before = Page(PATH, owner).queries
    for number in range(3):
        owner.post(PATH, {**FORM, "pattern": f"acme/{number}/*"})
    assert TrustedPublisher.objects.count() == 4
    assert Page(PATH, owner).queries == before
