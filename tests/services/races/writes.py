"""Every service that writes for an actor, called with what it needs."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from registry.domain.identity_claims import GITHUB
from registry.domain.notices import MailTime, NoticeKind
from registry.domain.reference import Reference, Tag
from registry.models import (
    Namespace,
    NamespaceRequest,
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
from registry.services.proposals import review, saved_drafts, submission
from registry.services.tags import aliases, deprecation, renaming
from registry.services.versions import families, publishing, rebasing, yanking
from registry.services.webhooks import registration
from tests.requests import TEXTS

BOARD = {"kind": "llvm", "mcpu": "haswell"}
SOURCE = json.dumps(BOARD)
PUBLISHER: dict[str, Any] = {
    "issuer": GITHUB,
    "claims": {"repository": "acme/targets", "repository_owner_id": "1"},
    "scopes": {Scope.PUBLISH},
    "pattern": "acme",
}


def publish_as(actor: Actor | None) -> Any:
    return publishing.publish(
        Tag.parse("acme/board"), SOURCE, message="", actor=actor, expected=None
    )


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


def user(name: str) -> User:
    return User.objects.get(username=name)


def reload_acme() -> Namespace:
    return Namespace.objects.get(name="acme")


def proposal() -> Proposal:
    return Proposal.objects.get(tag="acme/proposed")


def own_proposal() -> Proposal:
    return Proposal.objects.get(tag="acme/own")
