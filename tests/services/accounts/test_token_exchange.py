"""Exchanging identity tokens: who gets a token, what it may do, and what is refused."""

import json
import logging
import time
from collections.abc import Callable
from datetime import timedelta

import jwt
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from registry.domain.errors import Refused
from registry.domain.reference import Tag
from registry.models import (
    Event,
    Membership,
    Namespace,
    Role,
    Token,
    TrustedPublisher,
    UsedIdentity,
    User,
)
from registry.services.accounts import token_exchange, token_list, tokens
from registry.services.accounts.token_exchange import ExchangedToken
from registry.services.core import permissions
from registry.services.core.permission_rules import Action, Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, trusted_publishers
from registry.services.versions import publishing
from tests.issuers import AUDIENCE, EC_KEY, OTHER_RSA_KEY, Issuer
from tests.services.conftest import RunBeforeLock

pytestmark = pytest.mark.django_db

BODY = '{"kind": "llvm", "mcpu": "haswell"}'
HOUR = 3600


def exchange(text: str, tag: str = "") -> ExchangedToken:
    return token_exchange.exchange(text, tag=Tag.parse(tag) if tag else None)


def refusal(text: str, tag: str = "") -> str:
    with pytest.raises(Refused) as caught:
        exchange(text, tag)
    assert not Token.objects.exists()
    return f"{caught.value.code}: {caught.value.detail}"


def publish(actor: Actor, tag: str) -> None:
    publishing.publish(Tag.parse(tag), BODY, message="", actor=actor, expected=None)


@pytest.mark.usefixtures("publisher")
def test_token_publishes_for_fifteen_minutes_with_the_scopes_and_names(issuer: Issuer) -> None:
    exchanged = exchange(issuer.token())
    assert exchanged.token.expires is not None
    seconds = (exchanged.token.expires - timezone.now()).total_seconds()
    assert 14 * 60 < seconds <= 15 * 60
    actor = tokens.authenticate(exchanged.text)
    publish(actor, "acme/board")
    assert not permissions.allowed(actor, Action.PROPOSE, Tag.parse("acme/board"))
    assert not permissions.allowed(actor, Action.PUBLISH, Tag.parse("arm/board"))


def test_events_name_the_publisher_its_token_and_the_run(
    issuer: Issuer, publisher: TrustedPublisher, alice: User
) -> None:
    exchanged = exchange(issuer.token())
    publish(tokens.authenticate(exchanged.text), "acme/board")
    used, published = Event.objects.order_by("number").reverse()[:2][::-1]
    assert (used.action, used.subject, used.actor) == ("publisher.used", "acme", alice)
    assert json.loads(used.detail) == {
        "claims": {"sha": "5f0e1d", "sub": "repo:acme/targets:environment:release"},
        "publisher": publisher.pk,
        "token": exchanged.token.prefix,
    }
    assert (published.action, published.actor) == ("version.published", alice)
    attribution = {"publisher": publisher.pk, "token": exchanged.token.prefix}
    assert json.loads(published.detail).items() >= attribution.items()


@pytest.mark.usefixtures("publisher")
def test_events_of_other_writes_name_no_publisher(issuer: Issuer, alice: User) -> None:
    publish(tokens.authenticate(exchange(issuer.token()).text), "acme/board")
    publish(Actor(alice), "acme/other")
    assert "publisher" not in json.loads(Event.objects.latest("number").detail)


@pytest.mark.usefixtures("publisher")
def test_elliptic_curves_are_accepted(issuer: Issuer) -> None:
    assert exchange(issuer.token(key=EC_KEY, algorithm="ES256", key_id="ec-1")).token.pk


@pytest.mark.usefixtures("publisher")
def test_only_key_needs_no_id(issuer: Issuer) -> None:
    issuer.keys = issuer.keys[:1]
    assert exchange(issuer.token(key_id=None)).token.pk


@pytest.mark.usefixtures("publisher")
def test_clocks_may_differ_by_seconds(issuer: Issuer) -> None:
    now = int(time.time())
    assert exchange(issuer.token(iat=now + 10, nbf=now + 10)).token.pk
    assert exchange(issuer.token(exp=now - 10)).token.pk


Forgery = Callable[[Issuer], str]
NOW = time.time
REFUSED: dict[str, tuple[Forgery, str]] = {
    "another audience": (
        lambda issuer: issuer.token(aud="pypi"),
        f"its audience is not {AUDIENCE}",
    ),
    "several audiences": (
        lambda issuer: issuer.token(aud=[AUDIENCE, "pypi"]),
        f"it has other audiences besides {AUDIENCE}",
    ),
    "expired": (lambda issuer: issuer.token(exp=int(NOW()) - HOUR), "it has expired"),
    "not yet valid": (lambda issuer: issuer.token(nbf=int(NOW()) + HOUR), "it is not valid yet"),
    "issued later": (lambda issuer: issuer.token(iat=int(NOW()) + HOUR), "it is not valid yet"),
    "valid for ever": (lambda issuer: issuer.token(exp=10**12), "it does not expire"),
    "without an expiry": (lambda issuer: issuer.token(exp=None), "it lacks the claim exp"),
    "without a subject": (lambda issuer: issuer.token(sub=None), "it lacks the claim sub"),
    "odd expiry": (
        lambda issuer: issuer.token(exp="tomorrow"),
        "one of its claims has an invalid value",
    ),
    "unsigned": (
        lambda issuer: jwt.encode(issuer.claims(), "", "none"),
        "it is not a JSON Web Token",
    ),
    "unsigned, with a signature": (
        lambda issuer: jwt.encode(issuer.claims(), "", "none") + "AAAA",
        "it is not signed with RS256 or ES256",
    ),
    "signed with the public key": (
        Issuer.forged_with_public_key,
        "it is not signed with RS256 or ES256",
    ),
    "another algorithm": (
        lambda issuer: issuer.token(algorithm="RS512"),
        "it is not signed with RS256 or ES256",
    ),
    "algorithm of another key": (
        lambda issuer: issuer.token(key=EC_KEY, algorithm="ES256"),
        "its algorithm is not that of its key",
    ),
    "another key": (lambda issuer: issuer.token(key=OTHER_RSA_KEY), "its signature is wrong"),
    "unknown key": (
        lambda issuer: issuer.token(key=OTHER_RSA_KEY, key_id="rsa-9"),
        "has no key rsa-9",
    ),
    "another issuer": (
        lambda issuer: issuer.token(iss="https://evil.example.org"),
        "no trusted publisher of this registry has the issuer https://evil.example.org",
    ),
    "changed": (lambda issuer: _changed(issuer.token()), "its signature is wrong"),
    "no token": (lambda issuer: "ttr_0123456789ab_secret", "it is not a JSON Web Token"),
    "too long": (lambda issuer: issuer.token(x="x" * 20_000), "it is not a JSON Web Token"),
}


def _changed(text: str) -> str:
    """Return a token with another body than was signed."""
    header, _, signature = text.split(".")
    _, body, _ = jwt.encode(
        jwt.decode(text, options={"verify_signature": False}) | {"sub": "x"}, "k" * 32
    ).split(".")
    return f"{header}.{body}.{signature}"


@pytest.mark.usefixtures("publisher")
@pytest.mark.parametrize("name", REFUSED)
def test_invalid_token_is_refused_with_the_reason(name: str, issuer: Issuer) -> None:
    forge, reason = REFUSED[name]
    message = refusal(forge(issuer))
    assert message.startswith("UNAUTHENTICATED: This identity token is refused: ")
    assert reason in message


def test_issuer_without_a_publisher_is_never_asked(issuer: Issuer) -> None:
    assert "no trusted publisher" in refusal(issuer.token())
    assert issuer.requests == []


def test_issuer_that_the_settings_no_longer_list_is_never_asked(
    issuer: Issuer, publisher: TrustedPublisher, settings: Settings
) -> None:
    settings.TRUSTED_ISSUERS = []
    assert "no trusted publisher" in refusal(issuer.token())
    assert issuer.requests == []


@pytest.mark.usefixtures("publisher")
def test_token_is_exchanged_once(issuer: Issuer) -> None:
    text = issuer.token()
    exchange(text)
    Token.objects.all().delete()
    assert refusal(text).endswith("was used before: request a new one.")


@pytest.mark.usefixtures("publisher")
def test_token_without_an_id_is_exchanged_once_too(issuer: Issuer) -> None:
    text = issuer.token(jti=None)
    exchange(text)
    Token.objects.all().delete()
    assert "was used before" in refusal(text)


@pytest.mark.usefixtures("publisher")
def test_what_has_expired_is_deleted_by_a_later_exchange(issuer: Issuer, alice: User) -> None:
    exchange(issuer.token())
    long_ago = timezone.now() - timedelta(days=2)
    UsedIdentity.objects.update(expires=long_ago)
    Token.objects.update(expires=long_ago)
    own = tokens.issue_token(
        alice, label="ci", scopes={Scope.PROPOSE}, pattern="acme", actor=Actor(alice)
    )
    Token.objects.filter(publisher=None).update(expires=long_ago)
    exchanged = exchange(issuer.token())
    assert UsedIdentity.objects.count() == 1
    assert {token.prefix for token in Token.objects.all()} == {own[4:16], exchanged.token.prefix}


@pytest.mark.usefixtures("publisher")
def test_job_with_another_subject_learns_its_own_claims_only(issuer: Issuer) -> None:
    message = refusal(issuer.token(sub="repo:evil/targets", environment="x"))
    assert message == (
        "FORBIDDEN: No trusted publisher matches these claims: "
        f"issuer {issuer.address}, sub repo:evil/targets, environment x."
    )


@pytest.mark.parametrize("environment", ["test", 7, None])
def test_every_claim_must_match(
    environment: object, issuer: Issuer, acme: Namespace, alice: User
) -> None:
    trusted_publishers.register_publisher(
        acme,
        issuer=issuer.address,
        claims={"sub": "repo:acme/targets:environment:release", "environment": "release"},
        scopes=[Scope.PUBLISH],
        pattern="acme",
        actor=Actor(alice),
    )
    assert "No trusted publisher matches" in refusal(issuer.token(environment=environment))


def test_several_matches_need_the_tag(
    issuer: Issuer, publisher: TrustedPublisher, acme: Namespace, alice: User
) -> None:
    boards = trusted_publishers.register_publisher(
        acme,
        issuer=issuer.address,
        claims=publisher.required_claims,
        scopes=[Scope.PROPOSE],
        pattern="acme/boards/*",
        actor=Actor(alice),
    )
    assert refusal(issuer.token()) == (
        "CONFLICT: This job is trusted for acme/boards/*, acme: state the tag that it writes."
    )
    assert refusal(issuer.token(), "arm/soc") == (
        "FORBIDDEN: This job is trusted for acme/boards/*, acme, not for arm/soc."
    )
    assert exchange(issuer.token(), "acme/boards/a").token.publisher == boards
    assert exchange(issuer.token(), "acme/chip").token.publisher == publisher


def test_revoking_ends_the_publisher_and_its_tokens(
    issuer: Issuer, publisher: TrustedPublisher, alice: User
) -> None:
    exchanged = exchange(issuer.token())
    trusted_publishers.revoke_publisher(publisher, actor=Actor(alice))
    with pytest.raises(Refused, match="revoked"):
        tokens.authenticate(exchanged.text)
    Token.objects.all().delete()
    assert "no trusted publisher" in refusal(issuer.token())


def test_role_lost_after_the_exchange_ends_the_rights(
    issuer: Issuer, publisher: TrustedPublisher, alice: User
) -> None:
    actor = tokens.authenticate(exchange(issuer.token()).text)
    Membership.objects.filter(user=alice).delete()
    with pytest.raises(Refused, match="alice may not publish in acme"):
        publish(actor, "acme/board")


def test_registrar_who_is_no_owner_any_more_ends_the_publisher(
    issuer: Issuer, publisher: TrustedPublisher, acme: Namespace, alice: User
) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.OWNER, actor=Actor(alice))
    members.grant_role(acme, alice, Role.MEMBER, actor=Actor(bob))
    assert refusal(issuer.token()) == (
        "FORBIDDEN: The trusted publisher repo:acme/targets:environment:release for acme is not in "
        "force: alice, who registered it, is no longer an owner of acme. An owner has to register "
        "it again."
    )


def test_publisher_revoked_while_the_exchange_waits_issues_nothing(
    issuer: Issuer, publisher: TrustedPublisher, alice: User, run_before_lock: RunBeforeLock
) -> None:
    run_before_lock(lambda: trusted_publishers.revoke_publisher(publisher, actor=Actor(alice)))
    assert refusal(issuer.token()).endswith("for acme was revoked.")


def test_same_token_exchanged_while_the_exchange_waits_is_refused(
    issuer: Issuer, publisher: TrustedPublisher, run_before_lock: RunBeforeLock
) -> None:
    text = issuer.token()
    run_before_lock(lambda: exchange(text))
    with pytest.raises(Refused, match="was used before"):
        exchange(text)
    assert Token.objects.count() == 1


def test_closed_account_ends_the_publisher(
    issuer: Issuer, publisher: TrustedPublisher, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert "is not in force" in refusal(issuer.token())


@pytest.mark.usefixtures("publisher")
def test_secrets_are_neither_logged_nor_stored(
    issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    valid, invalid = issuer.token(), issuer.token(aud="pypi")
    exchanged = exchange(valid)
    with pytest.raises(Refused):
        exchange(invalid)
    assert (
        "An identity token was refused: This identity token is refused: its audience" in caplog.text
    )
    stored = "".join(
        f"{vars(row)}"
        for row in [*Token.objects.all(), *UsedIdentity.objects.all(), *Event.objects.all()]
    )
    for secret in (valid, invalid, exchanged.text, valid.split(".")[2]):
        assert secret not in caplog.text
        assert secret not in stored


@pytest.mark.usefixtures("publisher")
def test_own_tokens_are_listed_without_those_of_publishers(issuer: Issuer, alice: User) -> None:
    exchange(issuer.token())
    assert token_list.list_tokens(alice).rows == ()


@pytest.mark.usefixtures("publisher")
def test_number_of_queries_is_constant(issuer: Issuer, acme: Namespace, alice: User) -> None:
    with CaptureQueriesContext(connection) as alone:
        exchange(issuer.token())
    for number in range(5):
        trusted_publishers.register_publisher(
            acme,
            issuer=issuer.address,
            claims={"sub": f"repo:acme/{number}"},
            scopes=[Scope.PUBLISH],
            pattern="acme",
            actor=Actor(alice),
        )
    with CaptureQueriesContext(connection) as among_others:
        exchange(issuer.token())
    assert len(among_others) == len(alone)
