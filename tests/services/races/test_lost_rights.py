"""A write is rejected if its actor loses the permission while it waits for the lock."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.domain.identity_claims import GITHUB
from registry.domain.notices import MailTime, NoticeKind
from registry.domain.reference import Reference, Tag
from registry.models import (
    Membership,
    Namespace,
    NamespaceRequest,
    PendingChange,
    Policy,
    Proposal,
    RequestKind,
    Role,
    Token,
    TrustedPublisher,
    User,
)
from registry.services.accounts import closing, recovery, resets, tokens, users
from registry.services.core import shipped_facts
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.kinds import kinds, revising
from registry.services.namespaces import (
    discussion,
    members,
    namespaces,
    readmes,
    requests,
    trusted_publishers,
)
from registry.services.namespaces.requests import RequestTexts
from registry.services.notices import feed_addresses, inbox, mail_choices, watching
from registry.services.proposals import bulk_review, review, saved_drafts, submission
from registry.services.proposals.bulk_review import SeenRevision
from registry.services.tags import aliases, deprecation, renaming
from registry.services.versions import families, publishing, rebasing, yanking
from registry.services.webhooks import registration
from tests.api.problems import problem
from tests.people import make_acme, make_alice
from tests.publishing import propose, publish, row_counts
from tests.requests import TEXTS, request_namespace
from tests.services.calls import functions_calling
from tests.services.conftest import RunBeforeLock

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
SOURCE = json.dumps(BOARD)
PUBLISHER: dict[str, Any] = {
    "issuer": GITHUB,
    "claims": {"repository": "acme/targets", "repository_owner_id": "1"},
    "scopes": {Scope.PUBLISH},
    "pattern": "acme",
}
OPERATOR = Actor.operator


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


def publish_as(actor: Actor | None) -> Any:
    return publishing.publish(
        Tag.parse("acme/board"), SOURCE, message="", actor=actor, expected=None
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


def user(name: str) -> User:
    return User.objects.get(username=name)


def reload_acme() -> Namespace:
    return Namespace.objects.get(name="acme")


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


# Every service that writes for an actor, called as Olga, an owner of acme and superuser.
WRITES: dict[str, Callable[[Actor], Any]] = {
    "publish": publish_as,
    "yank": lambda actor: yanking.yank(
        Reference.parse("acme/old@1.0.0"), reason="wrong", actor=actor
    ),
    "deprecate": lambda actor: deprecation.deprecate(
        Tag.parse("acme/old"), reason="old", actor=actor
    ),
    "mark family": lambda actor: families.set_family(
        Tag.parse("acme/old"), is_family=True, actor=actor
    ),
    "rename": lambda actor: renaming.rename_tag(
        Tag.parse("acme/old"), Tag.parse("acme/new"), reason="better", actor=actor
    ),
    "rebase": lambda actor: rebasing.rebase(
        rebasing.plan_rebase([Tag.parse("acme/base")]), actor=actor
    ),
    "point an alias": lambda actor: aliases.point_alias(
        "acme/OLD", Reference.parse("acme/old"), actor=actor
    ),
    "create a namespace": lambda actor: namespaces.create_namespace("fresh", actor=actor),
    "describe a namespace": lambda actor: namespaces.update_description(
        reload_acme(), title="New", description="", url="", actor=actor
    ),
    "set a policy": lambda actor: namespaces.set_policy(
        reload_acme(), Policy.CURATORS, actor=actor
    ),
    "grant a role": lambda actor: members.grant_role(
        reload_acme(), user("stranger"), Role.MEMBER, actor=actor
    ),
    "revoke a role": lambda actor: members.revoke_membership(
        reload_acme(), user("bob"), actor=actor
    ),
    "write a README": lambda actor: readmes.write(reload_acme(), text="x", seen=0, actor=actor),
    "add a webhook": lambda actor: registration.add_webhook(
        reload_acme(), url="https://hooks.example.org/", actor=actor
    ),
    "request a namespace": lambda actor: requests.submit(
        RequestKind.NEW, RequestTexts("oso", **TEXTS, title="Oso"), actor=actor
    ),
    "withdraw a request": lambda actor: requests.withdraw(
        NamespaceRequest.objects.get(name="own").pk, actor=actor
    ),
    "comment on a request": lambda actor: discussion.comment(
        NamespaceRequest.objects.get(name="own").pk, text="Hm", actor=actor
    ),
    "accept a request": lambda actor: requests.accept(
        NamespaceRequest.objects.get(name="initech").pk, actor=actor
    ),
    "reject a request": lambda actor: requests.reject(
        NamespaceRequest.objects.get(name="initech").pk, text="No", actor=actor
    ),
    "revise a kind": lambda actor: kinds.revise_kind(
        "llvm", shipped_facts.kinds()["llvm"] | {"description": "Ours."}, actor=actor
    ),
    "apply a previewed schema": lambda actor: revising.apply_schema(
        "llvm",
        json.dumps(shipped_facts.kinds()["llvm"] | {"description": "Ours."}),
        seen=1,
        actor=actor,
    ),
    "issue a token": lambda actor: tokens.issue_token(
        actor.user, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=actor
    ),
    "revoke a token": lambda actor: tokens.revoke_token(Token.objects.get().prefix, actor=actor),
    "register a trusted publisher": lambda actor: trusted_publishers.register_publisher(
        reload_acme(), **(PUBLISHER | {"pattern": "acme/boards/*"}), actor=actor
    ),
    "revoke a trusted publisher": lambda actor: trusted_publishers.revoke_publisher(
        TrustedPublisher.objects.get(), actor=actor
    ),
    "propose": lambda actor: submission.propose(
        Tag.parse("acme/board"), SOURCE, message="", base=None, actor=actor
    ),
    "comment": lambda actor: review.comment(proposal().pk, text="Hm", actor=actor),
    "request changes": lambda actor: review.request_changes(
        proposal().pk, seen=1, text="Hm", actor=actor
    ),
    "reject": lambda actor: review.reject(proposal().pk, seen=1, text="No", actor=actor),
    "accept": lambda actor: review.accept(proposal().pk, seen=1, actor=actor),
    "revise a proposal": lambda actor: submission.revise(
        own_proposal().pk, SOURCE, message="", base=None, seen=1, actor=actor
    ),
    "withdraw a proposal": lambda actor: review.withdraw(own_proposal().pk, actor=actor),
    "save a draft": lambda actor: saved_drafts.save_draft(
        {"target": ["x"]}, actor=actor, tag="acme/b"
    ),
    "delete a draft": lambda actor: saved_drafts.delete_draft(uuid4(), actor=actor),
    "watch a tag": lambda actor: watching.watch("acme/base", actor=actor),
    "choose times of mail": lambda actor: mail_choices.choose_times(
        {NoticeKind.WATCHED: MailTime.DAILY}, actor=actor
    ),
    "read all news": lambda actor: inbox.mark_read(actor=actor, up_to=1),
    "renew the address of a feed": lambda actor: feed_addresses.renew(actor=actor),
    "make a recovery key": lambda actor: recovery.make_key(actor=actor),
    "begin a reset": lambda actor: resets.begin_reset(user("root"), reason="lost", actor=actor),
    "create an account": lambda actor: users.create_user("machine", actor=actor),
    "change an account": lambda actor: users.update_user(
        user("bob"),
        rights=users.AccountRights(is_staff=True),
        first_name="",
        last_name="",
        email="",
        actor=actor,
    ),
    "set a password": lambda actor: users.set_password(
        user("bob"), "correct horse battery", actor=actor
    ),
    "delete an account": lambda actor: users.delete_user(user("stranger"), actor=actor),
    "close an account": lambda actor: closing.close_account(actor=actor),
}


# Functions that take the lock for an actor and are called in no row, each with the reason.
WITHOUT_ROW = {
    **dict.fromkeys(
        ("versions.yanking._withdraw", "tags.deprecation._deprecate", "proposals.review._append"),
        "several services of the table share it",
    ),
    "versions.rebasing._write": "a part of rebasing",
    "kinds.kinds.revise_kinds": "revising a kind calls it",
    "notices.watching._state": "watching calls it",
    "tags.aliases.point_aliases": "checks as pointing one alias does",
    "tags.deprecation.replace_all": "checks as deprecating one tag does",
    "catalogue.shipped_tags._load_batch": "run by the operator, who checks as publishing does",
    "notices.inbox.mark_one": "checks as marking all as read does",
    "namespaces.members.confirm_role": "needs two people: a test below",
    "namespaces.namespaces.confirm_policy": "needs two people, and checks as confirming a role",
    "namespaces.four_eyes.discard_change": "needs two people, and checks as confirming a role",
    "webhooks.registration.remove_webhook": "checks as adding one does",
    "webhooks.registration.enable_webhook": "checks as adding one does",
    "webhooks.registration.redeliver": "checks as adding one does",
    "accounts.resets.stop_reset": "needs a reset, which a superuser began",
    "accounts.identities.connect": "needs an identity; checks as making a recovery key does",
    "accounts.identities.remove": "needs an identity; checks as making a recovery key does",
    "accounts.token_exchange._issue": "for a trusted publisher, not for an account",
}


def test_every_write_for_an_actor_has_a_row() -> None:
    rows: list[Any] = [*WRITES.values()]
    called = [{*row.__code__.co_names} for row in rows]
    uncalled = {
        function
        for function in functions_calling("authorized_write")
        if not any({*function.split(".")[1:]} <= names for names in called)
    }
    missing = uncalled - WITHOUT_ROW.keys()
    assert not missing, (
        "call it in a row of WRITES of tests/services/races/test_lost_rights.py, or say in "
        "WITHOUT_ROW there why not"
    )
    assert uncalled == WITHOUT_ROW.keys()


def proposal() -> Proposal:
    return Proposal.objects.get(tag="acme/proposed")


def own_proposal() -> Proposal:
    return Proposal.objects.get(tag="acme/own")


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
