"""A small registry with users of every role, and subjects for every action."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from django.utils import timezone

from registry.domain.notices import NoticeKind
from registry.domain.reference import Reference, Tag
from registry.models import (
    AccountReset,
    Membership,
    Namespace,
    PendingChange,
    Role,
    SavedDraft,
    Token,
    User,
    Webhook,
)
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, readmes
from registry.services.notices import feed_addresses, unsubscribing
from registry.services.proposals import saved_drafts, submission
from registry.services.tags import aliases, deprecation
from registry.services.versions import families
from registry.services.webhooks import registration
from tests.publishing import publish, trust_github, yank
from tests.requests import request_namespace

ROLES = ("nobody", "stranger", "submitter", "member", "curator", "owner", "staff", "closed")
BOARD = {"kind": "llvm", "mcpu": "haswell"}
DRAFT = "11111111-1111-4111-8111-111111111111"
PREFIX = "0123456789ab"
THING = '{"kind": "llvm", "mcpu": "skylake"}'


def session_key(user: User) -> str:
    """Return the key of a new session of a user."""
    client = Client()
    client.force_login(user)
    return str(client.session.session_key)


class Site:
    """The users, and the objects that the pages show."""

    def __init__(self, acme: Namespace, alice: User) -> None:
        self.acme = acme
        self.users = {name: User.objects.create_user(name) for name in ROLES[1:]}
        User.objects.filter(username="staff").update(is_staff=True)
        for role in Role:
            members.grant_role(acme, self.users[role], role, actor=Actor.operator(alice))
        members.grant_role(acme, self.users["closed"], Role.OWNER, actor=Actor.operator(alice))
        publish("acme/boards/x", BOARD)
        publish("acme/boards/x", BOARD | {"num-cores": 2})
        publish("acme/boards/x", BOARD | {"num-cores": 3})
        yank("acme/boards/x@3.0.0")
        publish("acme/boards/old", BOARD | {"num-cores": 4})
        deprecation.deprecate(
            Tag.parse("acme/boards/old"), reason="old", actor=Actor.operator(alice)
        )
        publish("acme/boards/family", BOARD | {"num-cores": 7})
        families.set_family(
            Tag.parse("acme/boards/family"), is_family=True, actor=Actor.operator(alice)
        )
        aliases.point_alias(
            "acme/boards/X,y", Reference.parse("acme/boards/x"), actor=Actor.operator(alice)
        )
        publish("acme/base", BOARD)
        publish("acme/child", {"tag": "acme/base", "num-cores": 5})
        publish("acme/machine", {"kind": "llvm", "hardware": {"vendor": "Acme"}})
        publish("acme/base", BOARD | {"mcpu": "skylake"})
        submitter = self.users["submitter"]
        self.proposal = submission.propose(
            Tag.parse("acme/boards/thing"),
            THING,
            message="",
            base=None,
            actor=Actor.operator(submitter),
        ).pk
        change = PendingChange.objects.create(
            namespace=acme,
            kind="policy",
            subject="acme",
            before="members",
            after="curators",
            requested_by=User.objects.create_superuser("boss"),
        )
        request = request_namespace("initech", submitter)
        readmes.write(acme, text="Acme", seen=0, actor=Actor.operator(alice))
        publisher = trust_github(acme, Actor.operator(alice))
        hook, disabled = (
            registration.add_webhook(
                acme, url=f"https://{name}.example.org/", actor=Actor.operator(alice)
            )[0]
            for name in ("hooks", "disabled")
        )
        Webhook.objects.filter(pk=disabled.pk).update(disabled=timezone.now())
        self.path_values = {
            "webhook": hook.pk,
            "disabled": disabled.pk,
            "publisher": publisher.pk,
            "proposal": self.proposal,
            "change": change.pk,
            "request": request.pk,
            "member": Membership.objects.get(user=self.users["member"]).pk,
            "feed": feed_addresses.renew(actor=Actor(alice)),
            "unsubscribe": urlsplit(unsubscribing.link(submitter, [NoticeKind.WATCHED])).query,
        }
        tokens.issue_token(
            submitter,
            label="ci",
            scopes=["propose"],
            pattern="acme",
            actor=Actor.operator(submitter),
        )
        Token.objects.update(prefix=PREFIX)
        draft = saved_drafts.save_draft(
            {"mode": ["json"]}, actor=Actor.operator(submitter), tag="acme/x"
        )
        SavedDraft.objects.filter(pk=draft.pk).update(key=DRAFT)
        now = timezone.now()
        AccountReset.objects.create(
            user=submitter,
            begun_by=User.objects.get(username="boss"),
            digest="0" * 64,
            valid_from=now,
            expires=now + timedelta(days=1),
        )
        self.session_keys = {name: session_key(user) for name, user in self.users.items()}
        User.objects.filter(username="closed").update(is_active=False)

    def client(self, role: str) -> Client:
        """Return a new client, signed in as the user with a role."""
        client = Client()
        if role != "nobody":
            client.cookies[settings.SESSION_COOKIE_NAME] = self.session_keys[role]
        return client

    def fill(self, text: str) -> str:
        """Return a text of the table of roles with the keys of rows, such as {proposal}."""
        for name, key in self.path_values.items():
            text = text.replace(f"{{{name}}}", str(key))
        return text

    def values(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a form with the keys of rows."""
        return {
            name: self.fill(value) if isinstance(value, str) else value
            for name, value in values.items()
        }
