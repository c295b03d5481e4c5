"""The permission matrix: every kind of user, with every credential, for every action."""

from datetime import timedelta
from typing import NamedTuple

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag
from registry.models import Namespace, Role, Token, User
from registry.services.accounts import tokens
from registry.services.core import permissions
from registry.services.core.permission_rules import ANYBODY, RULES, Action, Scope
from registry.services.core.permissions import Actor, Subject
from registry.services.namespaces import members
from tests.people import make_acme

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

USERS = ("anonymous", "stranger", "member", "curator", "owner", "staff", "superuser", "closed")
ANY_SCOPE = " ".join(Scope)

# Credentials by name: the scopes and pattern of a token; a session has none.
CREDENTIALS = {
    "session": ("", ""),
    "propose": ("propose", "acme"),
    "publish": ("publish", "acme"),
    "yank": ("yank", "acme"),
    "admin": ("admin", "acme"),
    "prefix": (ANY_SCOPE, "acme/boards/*"),
    "other-prefix": (ANY_SCOPE, "acme/board/*"),
    "elsewhere": (ANY_SCOPE, "nvidia"),
    "everywhere": (ANY_SCOPE, "*"),
    "expired": (ANY_SCOPE, "acme"),
    "revoked": (ANY_SCOPE, "acme"),
}
INACTIVE = {"expired", "revoked"}


class Row(NamedTuple):
    """An action on a subject, with the users and tokens that may take it."""

    action: Action
    subject: str
    users: str
    tokens: str


TABLE = [
    Row(Action.PROPOSE, "tag", "stranger member curator owner staff", "propose prefix everywhere"),
    Row(Action.REVIEW, "tag", "curator owner staff", "admin prefix everywhere"),
    Row(Action.PUBLISH, "tag", "member curator owner staff", "publish prefix everywhere"),
    Row(Action.YANK, "version", "member curator owner staff", "yank prefix everywhere"),
    Row(Action.UNYANK, "version", "member curator owner staff", "yank prefix everywhere"),
    Row(Action.DEPRECATE, "tag", "member curator owner staff", "yank prefix everywhere"),
    Row(Action.UNDEPRECATE, "tag", "member curator owner staff", "yank prefix everywhere"),
    Row(Action.MARK_FAMILY, "tag", "curator owner staff", "admin prefix everywhere"),
    Row(Action.POINT_ALIAS, "alias", "curator owner staff", "admin prefix everywhere"),
    Row(Action.MANAGE_MEMBERS, "namespace", "owner staff", "admin everywhere"),
    Row(Action.DESCRIBE_NAMESPACE, "namespace", "owner staff", "admin everywhere"),
    Row(Action.MAKE_NAMESPACE, "registry", "staff", "everywhere"),
    Row(Action.REVISE_KIND, "registry", "staff", "everywhere"),
    Row(Action.REQUEST_NAMESPACE, "registry", "stranger member curator owner staff", ""),
    Row(
        Action.COMMENT_ON_REQUEST,
        "registry",
        "stranger member curator owner staff",
        "everywhere",
    ),
    Row(Action.DECIDE_REQUEST, "registry", "staff", ""),
    Row(Action.MANAGE_WEBHOOKS, "namespace", "owner staff", ""),
    Row(Action.TRUST_PUBLISHER, "namespace", "owner staff", ""),
    Row(Action.ISSUE_TOKEN, "oneself", "stranger member curator owner staff", ""),
    Row(Action.ISSUE_TOKEN, "another", "staff", ""),
    Row(Action.REVOKE_TOKEN, "oneself", "stranger member curator owner staff", ""),
    Row(Action.REVOKE_TOKEN, "another", "staff", ""),
    Row(Action.SAVE_DRAFT, "oneself", "stranger member curator owner staff", ""),
    Row(Action.SAVE_DRAFT, "another", "", ""),
    Row(Action.KEEP_NEWS, "oneself", "stranger member curator owner staff", ""),
    Row(Action.KEEP_NEWS, "another", "", ""),
    Row(Action.SET_PASSWORD, "oneself", "stranger member curator owner staff", ""),
    Row(Action.SET_PASSWORD, "another", "superuser", ""),
    Row(Action.STOP_RESET, "oneself", "stranger member curator owner staff", ""),
    Row(Action.STOP_RESET, "another", "superuser", ""),
    Row(Action.CLOSE_ACCOUNT, "oneself", "stranger member curator owner staff", ""),
    Row(Action.CLOSE_ACCOUNT, "another", "", ""),
    Row(Action.MANAGE_ACCOUNTS, "registry", "superuser", ""),
    Row(Action.MANAGE_ACCOUNTS, "another", "superuser", ""),
]


class Scenario:
    """The users, with all of their credentials."""

    def __init__(self, acme: Namespace) -> None:
        self.acme = acme
        self.users = {name: User.objects.create_user(name) for name in USERS[1:]}
        for role in Role:
            members.grant_role(
                acme, self.users[role], role, actor=Actor.operator(self.users["owner"])
            )
        members.grant_role(
            acme, self.users["closed"], Role.OWNER, actor=Actor.operator(self.users["owner"])
        )
        for name in ("staff", "superuser"):
            self.users[name].is_staff = True
            self.users[name].is_superuser = name == "superuser"
            self.users[name].save()
        self.texts = {
            (name, key): self._issue(name, key) for name in self.users for key in CREDENTIALS
        }
        User.objects.filter(username="closed").update(is_active=False)
        self.users["closed"].refresh_from_db()

    def _issue(self, name: str, key: str) -> str:
        scopes, pattern = CREDENTIALS[key]
        if key == "session":
            return ""
        text = tokens.issue_token(
            self.users[name],
            label=key,
            scopes=scopes.split(),
            pattern="acme",
            actor=Actor.operator(self.users[name]),
        )
        rows = Token.objects.filter(prefix=text.split("_")[1])
        rows.update(pattern=pattern)  # including "*", as for former staff
        if key == "expired":
            rows.update(expires=timezone.now() - timedelta(seconds=1))
        if key == "revoked":
            rows.update(revoked=timezone.now())
        return text

    def actor(self, name: str, key: str) -> Actor | None:
        if name == "anonymous":
            return None
        if key == "session":
            return Actor(self.users[name])
        return tokens.authenticate(self.texts[name, key])

    def subject(self, kind: str, name: str) -> Subject:
        subjects: dict[str, Subject] = {
            "tag": Tag.parse("acme/boards/x:y"),
            "version": Reference.parse("acme/boards/x@1.0.0"),
            "alias": Reference.parse("acme/boards/X,y"),
            "namespace": self.acme,
            "registry": None,
            "oneself": self.users.get(name),
            "another": User.objects.get(username="alice"),
        }
        return subjects[kind]


@pytest.fixture(scope="module")
def scenario(module_transaction: None) -> Scenario:
    return Scenario(make_acme())


def outcome(scenario: Scenario, row: Row, name: str, key: str) -> str:
    try:
        actor = scenario.actor(name, key)
        user = permissions.require(actor, row.action, scenario.subject(row.subject, name)).user
    except Refused as refused:
        return refused.code
    assert user == scenario.users[name]
    return "allowed"


def expected(row: Row, name: str, key: str) -> str:
    if name in ("anonymous", "closed") or key in INACTIVE:
        return Code.UNAUTHENTICATED
    users = row.users.split()
    has_role = name in users or (name == "superuser" and "staff" in users)
    is_allowed = has_role and key in ["session", *row.tokens.split()]
    return "allowed" if is_allowed else Code.FORBIDDEN


@pytest.mark.any_database
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.action}-{row.subject}")
def test_every_user_with_every_credential(scenario: Scenario, row: Row) -> None:
    cases = [(name, key) for name in USERS for key in CREDENTIALS]
    outcomes = {case: outcome(scenario, row, *case) for case in cases}
    assert outcomes == {case: expected(row, *case) for case in cases}


def test_every_action_is_in_the_table() -> None:
    assert {row.action for row in TABLE} == set(Action) == set(RULES)


@pytest.mark.any_database
@pytest.mark.parametrize("action", Action)
def test_owners_of_another_namespace_have_no_rights(scenario: Scenario, action: Action) -> None:
    if RULES[action].roles != {ANYBODY}:
        owner = Actor(scenario.users["owner"])
        assert not permissions.allowed(owner, action, Tag.parse("nvidia/acme"))


def test_allowed_returns_a_boolean(acme: Namespace, alice: User) -> None:
    assert permissions.allowed(Actor(alice), Action.MANAGE_MEMBERS, acme)
    assert not permissions.allowed(None, Action.MANAGE_MEMBERS, acme)
    assert not permissions.allowed(Actor(alice), Action.REVISE_KIND)


def test_error_lists_the_allowed_roles(acme: Namespace) -> None:
    with pytest.raises(Refused) as refused:
        permissions.require(Actor(User.objects.create_user("bob")), Action.POINT_ALIAS, acme)
    assert refused.value.detail == (
        "bob may not point aliases in acme; allowed: curator, owner, staff."
    )


def test_check_takes_one_query(acme: Namespace, alice: User) -> None:
    with CaptureQueriesContext(connection) as captured:
        permissions.require(Actor(alice), Action.PUBLISH, Tag.parse("acme/board"))
    assert len(captured) == 1


def test_token_loses_rights_with_its_owner(acme: Namespace, alice: User) -> None:
    text = tokens.issue_token(
        alice, label="ci", scopes={Scope.ADMIN}, pattern="acme", actor=Actor.operator(alice)
    )
    alias = Reference.parse("acme/x")
    assert permissions.allowed(tokens.authenticate(text), Action.POINT_ALIAS, alias)
    acme.memberships.filter(user=alice).update(role=Role.MEMBER)
    assert not permissions.allowed(tokens.authenticate(text), Action.POINT_ALIAS, alias)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("pattern", "subject", "covered"),
    [
        ("acme", "acme/board", True),
        ("acme", "acme/boards/x:y", True),
        ("acme", "acme2/board", False),
        ("acme/boards/*", "acme/boards/x", True),
        ("acme/boards/*", "acme/boards/x@1.0.0", True),
        ("acme/boards/*", "acme/boards", False),
        ("acme/boards/*", "acme/boards:x", False),
        ("acme/boards/*", "acme/boards2/x", False),
        ("acme/*", "acme/board", True),
        ("*", "other/board", True),
    ],
)
def test_pattern_covers(pattern: str, subject: str, *, covered: bool) -> None:
    assert permissions.is_pattern(pattern)
    assert permissions.covers(pattern, Reference.parse(subject)) is covered


def test_prefix_pattern_does_not_cover_the_namespace(acme: Namespace, alice: User) -> None:
    assert permissions.covers("acme", acme)
    assert not permissions.covers("acme/*", acme)
    assert not permissions.covers("alice", alice)
    assert not permissions.covers("acme", None)
