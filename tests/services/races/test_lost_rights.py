"""A write is rejected if its actor loses the permission while it waits for the lock."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.models import (
    Membership,
    Namespace,
    PendingChange,
    Policy,
    Role,
    Token,
    User,
)
from registry.services.accounts import closing, tokens, users
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import (
    members,
    namespaces,
    trusted_publishers,
)
from registry.services.proposals import bulk_review, review
from registry.services.proposals.bulk_review import SeenRevision
from tests.api.problems import problem
from tests.people import make_acme, make_alice
from tests.publishing import propose, publish, row_counts
from tests.requests import request_namespace
from tests.services.conftest import RunBeforeLock
from tests.services.races.writes import (
    BOARD,
    PUBLISHER,
    WRITES,
    own_proposal,
    proposal,
    publish_as,
    reload_acme,
    user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(acme: Namespace, alice: User) -> User:
    """Return Bob, a member of acme."""
    return make_bob(acme, alice)


def make_bob(acme: Namespace, alice: User) -> User:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor(alice))
    return bob


@pytest.fixture
def token(bob: User) -> str:
    """Return a token of Bob's for publishing in acme."""
    return issue_token(bob)


def issue_token(bob: User) -> str:
    return tokens.issue_token(
        bob, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor(bob)
    )


def refusal(write: Callable[[], Any]) -> Refused:
    with pytest.raises(Refused) as refused:
        write()
    return refused.value


def switch_to_four_eyes() -> None:
    """Set the policy of acme, which needs a second curator."""
    acme, alice = reload_acme(), Actor(user("alice"))
    members.grant_role(acme, User.objects.create_user("curator"), Role.CURATOR, actor=alice)
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=alice)


# Losses of permission while a publication of Bob's waits, and the expected errors.
LOSSES: dict[str, tuple[Callable[[], Any], Code]] = {
    "token revoked": (
        lambda: tokens.revoke_token(Token.objects.get().prefix, actor=Actor(user("bob"))),
        Code.UNAUTHENTICATED,
    ),
    "token expired": (
        lambda: Token.objects.update(expires=timezone.now() - timedelta(seconds=1)),
        Code.UNAUTHENTICATED,
    ),
    "token deleted": (lambda: Token.objects.all().delete(), Code.UNAUTHENTICATED),
    "scope removed": (lambda: Token.objects.update(scopes="yank"), Code.FORBIDDEN),
    "pattern narrowed": (lambda: Token.objects.update(pattern="acme/boards/*"), Code.FORBIDDEN),
    "role revoked": (
        lambda: members.revoke_membership(reload_acme(), user("bob"), actor=Actor(user("alice"))),
        Code.FORBIDDEN,
    ),
    "account closed": (
        lambda: closing.close_account(actor=Actor(user("bob"))),
        Code.UNAUTHENTICATED,
    ),
    "curators publish": (
        lambda: namespaces.set_policy(reload_acme(), Policy.CURATORS, actor=Actor(user("alice"))),
        Code.FORBIDDEN,
    ),
    "four eyes": (switch_to_four_eyes, Code.FORBIDDEN),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_publication_is_rejected_if_permission_is_lost_while_it_waits(
    loss: str, run_before_lock: RunBeforeLock, token: str
) -> None:
    lose, code = LOSSES[loss]
    counts: list[tuple[int, ...]] = []

    def lose_and_count() -> None:
        lose()
        counts.append(row_counts())

    run_before_lock(lose_and_count)
    assert refusal(lambda: publish_as(tokens.authenticate(token))).code is code
    assert counts == [row_counts()]


def test_publication_passes_if_permission_is_kept_while_it_waits(
    run_before_lock: RunBeforeLock, token: str
) -> None:
    run_before_lock(lambda: publish("acme/other", BOARD))
    assert publish_as(tokens.authenticate(token)).exact == "acme/board@1.0.0"


def test_staff_write_is_rejected_if_staff_is_lost_while_it_waits(
    run_before_lock: RunBeforeLock, acme: Namespace
) -> None:
    User.objects.create_user("boss", is_staff=True)
    run_before_lock(lambda: User.objects.filter(username="boss").update(is_staff=False))
    assert refusal(lambda: publish_as(Actor(user("boss")))).code is Code.FORBIDDEN


def test_api_returns_401_if_the_token_is_revoked_while_the_request_waits(
    run_before_lock: RunBeforeLock, token: str, client: Client
) -> None:
    run_before_lock(LOSSES["token revoked"][0])
    response = client.post(
        "/api/v1/versions/acme/board",
        json.dumps({"target": BOARD}),
        "application/json",
        headers={"Authorization": f"Bearer {token}", "If-None-Match": "*"},
    )
    assert "revoked" in problem(response, "UNAUTHENTICATED")["detail"]
    assert client.get("/api/v1/tags/acme/board").status_code == 404


@pytest.fixture(scope="module")
def objects(module_transaction: None) -> None:
    """Create Olga, an owner and superuser, and the objects of all writes.

    They stay until the end of the module: tests with other rows come before.
    """
    acme, alice = make_acme(), make_alice()
    issue_token(make_bob(acme, alice))
    olga = User.objects.create_user("olga", is_staff=True, is_superuser=True)
    User.objects.create_user("stranger")
    User.objects.create_user("root", is_staff=True, is_superuser=True, last_login=timezone.now())
    members.grant_role(acme, olga, Role.OWNER, actor=Actor(alice))
    publish("acme/old", BOARD | {"num-cores": 4})
    publish("acme/base", BOARD)
    publish("acme/child", {"tag": "acme/base", "num-cores": 5})
    publish("acme/base", BOARD | {"mcpu": "skylake"})
    propose("acme/proposed", BOARD, by="bob")
    propose("acme/own", BOARD | {"num-cores": 2}, by="olga")
    request_namespace("initech", user("bob"))
    request_namespace("own", olga)
    trusted_publishers.register_publisher(acme, **PUBLISHER, actor=Actor(alice))


@pytest.fixture
def olga(objects: None, db: None) -> User:
    """Return Olga; the objects of all writes exist."""
    return user("olga")


@pytest.mark.parametrize("write", WRITES)
def test_every_write_is_rejected_to_an_account_closed_while_it_waits(
    write: str, run_before_lock: RunBeforeLock, olga: User
) -> None:
    before = row_counts(), Token.objects.filter(revoked=None).count(), Membership.objects.count()
    run_before_lock(lambda: User.objects.filter(pk=olga.pk).update(is_active=False))
    assert refusal(lambda: WRITES[write](Actor(olga))).code is Code.UNAUTHENTICATED
    after = row_counts(), Token.objects.filter(revoked=None).count(), Membership.objects.count()
    assert after == before


@pytest.mark.parametrize("write", WRITES)
def test_every_write_passes_if_permission_is_kept(write: str, olga: User) -> None:
    WRITES[write](Actor(olga))


@pytest.mark.parametrize("write", WRITES)
def test_every_write_is_rejected_to_anonymous_users(write: str, olga: User) -> None:
    if write != "issue a token":  # refused with the name of the owner
        anonymous: Any = None
        assert refusal(lambda: WRITES[write](anonymous)).code is Code.UNAUTHENTICATED


def test_acceptance_is_rejected_after_a_demotion(
    run_before_lock: RunBeforeLock, olga: User, acme: Namespace, alice: User
) -> None:
    User.objects.filter(pk=olga.pk).update(is_staff=False)
    members.grant_role(acme, olga, Role.CURATOR, actor=Actor(alice))
    run_before_lock(lambda: members.grant_role(acme, olga, Role.MEMBER, actor=Actor(alice)))
    error = refusal(lambda: review.accept(proposal().pk, seen=1, actor=Actor(olga)))
    assert error.code is Code.FORBIDDEN


def test_proposal_is_only_approved_after_a_switch_to_four_eyes(
    run_before_lock: RunBeforeLock, olga: User, acme: Namespace, alice: User
) -> None:
    run_before_lock(lambda: namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice)))
    assert review.accept(own_proposal().pk, seen=1, actor=Actor(olga)) is None
    assert own_proposal().state == "open"


def test_proposal_is_only_approved_after_the_first_of_two_lost_the_role(
    run_before_lock: RunBeforeLock, olga: User, acme: Namespace, alice: User
) -> None:
    curator = User.objects.create_user("curator")
    members.grant_role(acme, curator, Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    assert review.accept(proposal().pk, seen=1, actor=Actor(curator)) is None
    run_before_lock(lambda: members.revoke_membership(acme, curator, actor=Actor(alice)))
    assert review.accept(proposal().pk, seen=1, actor=Actor(olga)) is None
    assert proposal().state == "open"


def test_role_is_not_confirmed_after_its_requester_lost_the_right(
    run_before_lock: RunBeforeLock, olga: User, acme: Namespace, alice: User
) -> None:
    for name in ("curator", "owner"):
        members.grant_role(acme, User.objects.create_user(name), Role(name), actor=Actor(alice))
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    owner, stranger = User.objects.get(username="owner"), User.objects.get(username="stranger")
    members.grant_role(acme, stranger, Role.CURATOR, actor=Actor(owner))
    number = PendingChange.objects.get().pk
    run_before_lock(lambda: members.grant_role(acme, owner, Role.CURATOR, actor=Actor(alice)))
    error = refusal(lambda: members.confirm_role(number, actor=Actor(olga)))
    assert error.code is Code.CONFLICT
    assert "owner may no longer request this change" in error.detail


def test_bulk_acceptance_skips_proposals_that_may_no_longer_be_reviewed(
    run_before_lock: RunBeforeLock, olga: User
) -> None:
    run_before_lock(lambda: None)
    pair = SeenRevision(proposal().pk, 1)
    User.objects.filter(pk=olga.pk).update(is_active=False)
    error = refusal(lambda: bulk_review.accept_plain([pair], actor=Actor(olga)))
    assert error.code is Code.UNAUTHENTICATED


def test_token_of_a_machine_that_got_a_password_is_rejected(
    run_before_lock: RunBeforeLock, olga: User
) -> None:
    machine = users.create_user("machine", actor=Actor(olga))
    run_before_lock(lambda: users.set_password(machine, "correct horse battery", actor=Actor(olga)))
    error = refusal(
        lambda: tokens.issue_token(
            User.objects.get(pk=machine.pk),
            label="ci",
            scopes={Scope.PUBLISH},
            pattern="acme",
            actor=Actor(olga),
        )
    )
    assert error.code is Code.FORBIDDEN
