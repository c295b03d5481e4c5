"""Registering and revoking trusted publishers."""

import json
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from registry.domain.errors import Refused
from registry.domain.identity_claims import GITHUB
from registry.models import Event, Namespace, TrustedPublisher, User
from registry.services.accounts import closing
from registry.services.core.permissions import Actor
from registry.services.namespaces import trusted_publishers
from registry.services.namespaces.trusted_publishers import MAX_PUBLISHERS, register_publisher

pytestmark = pytest.mark.django_db

GITHUB_CLAIMS = {"repository": "acme/targets", "repository_owner_id": "42"}


def register(acme: Namespace, alice: User, **changes: Any) -> TrustedPublisher:
    values: dict[str, Any] = {
        "issuer": GITHUB,
        "claims": GITHUB_CLAIMS,
        "scopes": ["publish"],
        "pattern": "acme",
        "actor": Actor(alice),
    }
    return register_publisher(acme, **{**values, **changes})


def test_registration_is_an_event(acme: Namespace, alice: User) -> None:
    publisher = register(acme, alice)
    event = Event.objects.latest("number")
    assert (event.action, event.subject, event.actor) == ("publisher.registered", "acme", alice)
    assert json.loads(event.detail) == {
        "publisher": publisher.pk,
        "issuer": GITHUB,
        "claims": GITHUB_CLAIMS,
        "scopes": "publish",
        "pattern": "acme",
    }
    assert str(publisher) == "acme/targets for acme"
    assert trusted_publishers.list_publishers(acme) == (publisher,)


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        (
            {"issuer": "https://evil.example.org", "claims": {"sub": "x"}},
            "/issuer",
            "trusts no issuer https://evil",
        ),
        ({"claims": {"repository": "acme/targets"}}, "/claims", "repository_owner_id is missing"),
        ({"claims": {**GITHUB_CLAIMS, "aud": "x"}}, "/claims", "aud is not a claim to choose"),
        ({"claims": {**GITHUB_CLAIMS, "ref": ""}}, "/claims", "(empty) is not a value of ref"),
        ({"claims": {**GITHUB_CLAIMS, "ref": "a*"}}, "/claims", "a* is not a value of ref"),
        ({"claims": {**GITHUB_CLAIMS, "repository": "acme@*"}}, "/claims", "acme@* is not a value"),
        ({"claims": {**GITHUB_CLAIMS, "ref": "x" * 999}}, "/claims", "the claims are too long"),
        ({"scopes": []}, "/scopes", "no scope is chosen"),
        ({"scopes": ["publish", "admin"]}, "/scopes", "admin is not one of them"),
        ({"pattern": "arm"}, "/pattern", "arm is not a pattern of names in acme"),
        ({"pattern": "acme/*/x"}, "/pattern", "is not a pattern of names in acme"),
        ({"pattern": "*"}, "/pattern", "* is not a pattern of names in acme"),
    ],
)
def test_invalid_value_is_refused_at_its_field(
    changes: dict[str, Any], pointer: str, message: str, acme: Namespace, alice: User
) -> None:
    with pytest.raises(Refused) as caught:
        register(acme, alice, **changes)
    (fault,) = caught.value.faults
    assert fault.pointer == pointer
    assert message in fault.message


def test_workflow_may_stand_at_any_ref(acme: Namespace, alice: User) -> None:
    workflow = "acme/targets/.github/workflows/publish.yml@*"
    claims = {**GITHUB_CLAIMS, "job_workflow_ref": workflow}
    assert register(acme, alice, claims=claims).required_claims == claims


def test_same_publisher_is_registered_once(acme: Namespace, alice: User) -> None:
    register(acme, alice)
    with pytest.raises(Refused, match="acme/targets for acme is registered already") as caught:
        register(acme, alice, claims=dict(reversed(GITHUB_CLAIMS.items())))
    assert caught.value.code == "CONFLICT"


def test_number_of_publishers_is_limited(
    acme: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trusted_publishers, "MAX_PUBLISHERS", 1)
    register(acme, alice)
    with pytest.raises(Refused, match="acme has 1 trusted publishers: revoke one first"):
        register(acme, alice, pattern="acme/boards/*")
    assert MAX_PUBLISHERS == 50


def test_password_is_needed_again(acme: Namespace, alice: User) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    with pytest.raises(Refused, match="Enter your password again"):
        register(acme, alice)
    assert register(acme, alice, actor=Actor(alice, is_confirmed=True)).pk


def test_others_may_not_register_or_revoke(acme: Namespace, alice: User) -> None:
    bob = User.objects.create_user("bob")
    publisher = register(acme, alice)
    with pytest.raises(Refused, match="bob may not register trusted publishers in acme"):
        register(acme, bob)
    with pytest.raises(Refused, match="bob may not register trusted publishers in acme"):
        trusted_publishers.revoke_publisher(publisher, actor=Actor(bob))


def test_revoked_publisher_can_be_registered_again(acme: Namespace, alice: User) -> None:
    publisher = register(acme, alice)
    trusted_publishers.revoke_publisher(publisher, actor=Actor(alice))
    event = Event.objects.latest("number")
    assert (event.action, json.loads(event.detail)) == (
        "publisher.revoked",
        {"publisher": publisher.pk},
    )
    assert trusted_publishers.find_publisher(acme, publisher.pk) is None
    with pytest.raises(Refused, match="is revoked already") as caught:
        trusted_publishers.revoke_publisher(publisher, actor=Actor(alice))
    assert caught.value.code == "CONFLICT"
    assert register(acme, alice).pk != publisher.pk


def test_closing_an_account_revokes_its_publishers(alice: User) -> None:
    bob = User.objects.create_user("bob", is_staff=True)
    namespace = Namespace.objects.create(name="initech", title="Initech")
    publisher = register(namespace, bob, pattern="initech")
    closing.close_account(actor=Actor(bob))
    publisher.refresh_from_db()
    assert publisher.revoked


def test_without_an_address_nothing_can_be_registered(
    settings: Settings, acme: Namespace, alice: User
) -> None:
    settings.ADDRESS = ""
    with pytest.raises(Refused) as caught:
        register(acme, alice)
    assert caught.value.faults[0].expected == "nothing: trusted publishing is off"


@pytest.mark.parametrize("listed", [[], ["https://gitlab.example.org"]])
def test_only_listed_issuers_can_be_registered(
    listed: list[str], settings: Settings, acme: Namespace, alice: User
) -> None:
    settings.TRUSTED_ISSUERS = listed
    with pytest.raises(Refused) as caught:
        register(acme, alice)
    expected = " or ".join(listed) or "nothing: trusted publishing is off"
    assert caught.value.faults[0].expected == expected
