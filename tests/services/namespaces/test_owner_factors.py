"""Owners of namespaces that others build on need a second factor, after a time of grace."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.domain.owner_factor import OwnerFactorRule
from registry.domain.reference import Tag
from registry.models import Event, Namespace, Notice, Role, TrustedPublisher, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces, owner_factors
from registry.services.notices import reader
from registry.services.versions import publishing
from registry.services.work.owner_factors import OwnerFactors
from tests.publishing import last_published, publish, trust_github

pytestmark = pytest.mark.django_db
BOARD = {"kind": "llvm", "mcpu": "haswell"}


@pytest.fixture
def owner(acme: Namespace) -> User:
    """Return the owner of acme, who signs in with a password."""
    alice = User.objects.get(username="alice")
    alice.set_password("correct horse battery")
    alice.save()
    return alice


@pytest.fixture
def built_on(acme: Namespace, owner: User) -> Namespace:
    """Return acme, on which the namespace initech has built for 31 days."""
    other = User.objects.create_user("bob")
    initech = namespaces.create_namespace("initech", actor=Actor.operator(other))
    members.grant_role(initech, other, Role.OWNER, actor=Actor.operator(other))
    publish("acme/board", BOARD)
    publish("initech/board", {"tag": "acme/board"}, actor=other)
    owner_factors.note_built_on()  # the catalogue has some, too
    acme.refresh_from_db()
    assert acme.built_on_since is not None
    acme.built_on_since -= timedelta(days=31)
    acme.save()
    return acme


def describe(user: User, name: str = "acme") -> None:
    namespace = Namespace.objects.get(name=name)
    namespaces.update_description(namespace, title="New", description="", url="", actor=Actor(user))


def publish_as(actor: Actor, tag: str = "acme/other") -> None:
    name, body = Tag.parse(tag), '{"kind": "llvm", "mcpu": "skylake"}'
    publishing.publish(name, body, message="", expected=last_published(tag), actor=actor)


def token_of(user: User) -> Actor:
    return tokens.authenticate(
        tokens.issue_token(
            user,
            label="ci",
            scopes={Scope.PUBLISH},
            pattern="acme",
            actor=Actor(user, is_confirmed=True),
        )
    )


def add_factor(user: User, kind: str = Authenticator.Type.TOTP) -> None:
    Authenticator.objects.create(user=user, type=kind, data={})


def assert_refused(act: Callable[[], object]) -> None:
    before = Event.objects.count()
    with pytest.raises(Refused) as refused:
        act()
    assert refused.value.code is Code.FORBIDDEN
    assert "need a second factor" in refused.value.detail
    assert "Set one up" in refused.value.detail
    assert Event.objects.count() == before


def test_owners_without_a_factor_write_nothing_by_session_or_token(
    built_on: Namespace, owner: User
) -> None:
    actor = token_of(owner)
    assert_refused(lambda: describe(owner))
    assert_refused(lambda: publish_as(Actor(owner)))
    assert_refused(lambda: publish_as(actor))
    User.objects.filter(pk=owner.pk).update(password="!", last_login=timezone.now())
    assert_refused(lambda: publish_as(actor))  # a person whose password was removed
    add_factor(owner, Authenticator.Type.RECOVERY_CODES)  # stand in for a factor, and are none
    assert_refused(lambda: describe(owner))
    add_factor(owner)
    describe(owner)
    publish_as(actor)


def _grace(acme: Namespace, owner: User, settings: Any) -> None:
    Namespace.objects.update(built_on_since=timezone.now() - timedelta(days=29))


def _switched_off(acme: Namespace, owner: User, settings: Any) -> None:
    settings.OWNER_FACTOR = OwnerFactorRule(None)


def _own_use(acme: Namespace, owner: User, settings: Any) -> None:
    Namespace.objects.update(built_on_since=None)


def _machine(acme: Namespace, owner: User, settings: Any) -> None:
    owner.set_unusable_password()
    owner.save()


def _staff(acme: Namespace, owner: User, settings: Any) -> None:
    User.objects.filter(pk=owner.pk).update(is_staff=True)


def _curator(acme: Namespace, owner: User, settings: Any) -> None:
    acme.memberships.update(role=Role.CURATOR)


@pytest.mark.parametrize("why", [_grace, _switched_off, _own_use, _machine, _staff, _curator])
def test_who_needs_no_factor_publishes(
    why: Any, built_on: Namespace, owner: User, settings: Any
) -> None:
    why(built_on, owner, settings)
    publish_as(Actor(owner))


def test_a_trusted_publisher_needs_no_factor_of_its_registrar(
    built_on: Namespace, owner: User
) -> None:
    trust_github(built_on, Actor.operator(owner))
    actor = token_of(owner)
    assert actor.token is not None
    actor.token.publisher = TrustedPublisher.objects.get()
    publish_as(actor)


def test_other_namespaces_of_an_owner_are_not_concerned(built_on: Namespace, owner: User) -> None:
    mine = namespaces.create_namespace("mine", actor=Actor.operator(owner))
    members.grant_role(mine, owner, Role.OWNER, actor=Actor.operator(owner))
    describe(owner, "mine")
    assert_refused(lambda: describe(owner))


def test_nobody_is_kept_from_reading(built_on: Namespace, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    for page in ("/manage/acme", "/manage/acme/webhooks", "/manage/acme/trusted-publishers"):
        assert client.get(page).status_code == 200
    page = client.get("/manage/acme").content.decode()
    assert "its owners need a second factor" in page
    assert "/accounts/2fa/" in page
    response = client.post("/manage/acme", {"act": "describe", "title": "New"})
    assert response.status_code == 403
    assert "need a second factor" in response.content.decode()
    add_factor(owner)
    assert "need a second factor" not in client.get("/manage/acme").content.decode()


def test_owners_hear_once_from_when_on_they_need_one(built_on: Namespace, owner: User) -> None:
    assert owner_factors.note_built_on() == 0
    while reader.read_events():
        pass
    (notice,) = Notice.objects.filter(event__action="namespace.factor_required")
    assert (notice.user, notice.event.subject) == (owner, "acme")
    day = timezone.now() + timedelta(days=30)
    assert f"{day:%Y-%m-%d}" in notice.event.detail


def test_uses_inside_a_namespace_and_without_the_rule_are_not_noted(
    acme: Namespace, owner: User, settings: Any
) -> None:
    publish("acme/board", BOARD)
    publish("acme/child", {"tag": "acme/board"})
    OwnerFactors().run(lambda: True)
    settings.OWNER_FACTOR = OwnerFactorRule(None)
    acme.refresh_from_db()
    assert acme.built_on_since is None
    assert owner_factors.note_built_on() == 0


def test_looking_again_takes_two_queries(built_on: Namespace) -> None:
    with CaptureQueriesContext(connection) as captured:
        owner_factors.note_built_on()
    assert len(captured) <= 2


def test_the_rule_counts_days_from_the_first_use() -> None:
    now = timezone.now()
    rule = OwnerFactorRule(timedelta(days=30))
    assert rule.required_from(now) == now + timedelta(days=30)
    assert rule.required_from(None) is None
    assert OwnerFactorRule(None).required_from(now) is None
    assert OwnerFactorRule(None).latest_start(now) is None
    assert rule.latest_start(now) == now - timedelta(days=30)
