"""Decides who may do what: one table of rules, checked before a write and again under its lock."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from registry.domain.errors import Code, Refused
from registry.domain.reference import Reference, Tag as TagName
from registry.models import Namespace, Policy, Role, Token, User
from registry.services.core import current_rights
from registry.services.core.current_rights import Rights, TokenState


class Scope(StrEnum):
    """What a token can be for. None includes another."""

    PROPOSE = "propose"
    PUBLISH = "publish"
    YANK = "yank"
    ADMIN = "admin"  # what a namespace's owners and curators do besides, and staff


class Action(StrEnum):
    """What may be asked for, in the words of a refusal."""

    PROPOSE = "propose"
    REVIEW = "review proposals"
    PUBLISH = "publish"
    YANK = "yank"
    UNYANK = "unyank"
    DEPRECATE = "deprecate"
    UNDEPRECATE = "undeprecate"
    POINT_ALIAS = "point aliases"
    MANAGE_MEMBERS = "manage members"
    DESCRIBE_NAMESPACE = "describe a namespace"
    MAKE_NAMESPACE = "make namespaces"
    REVISE_KIND = "revise kinds"
    ISSUE_TOKEN = "issue tokens"  # noqa: S105 - words
    REVOKE_TOKEN = "revoke tokens"  # noqa: S105 - words
    SAVE_DRAFT = "save drafts"
    SET_PASSWORD = "set passwords"  # noqa: S105 - words
    CLOSE_ACCOUNT = "close an account"
    MANAGE_ACCOUNTS = "manage accounts"


# What somebody can be to that which an action is about. Staff may do everything, but publish where
# nobody may, and act on other people's accounts: that takes a superuser.
ANYBODY, ONESELF, SUPERUSER = "anybody", "oneself", "superuser"
MEMBERS = frozenset({Role.OWNER, Role.CURATOR, Role.MEMBER})
CURATORS = frozenset({Role.OWNER, Role.CURATOR})
OWNERS = frozenset({Role.OWNER})
STAFF_ONLY: frozenset[str] = frozenset()
NOBODY = frozenset({"nobody"})


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do something besides staff, and the scope that a token needs for it.

    Without a scope no token will do: what makes tokens is done by people. `reviewed` is who may
    instead where everything is reviewed, `four_eyes` where it is by somebody else. Staff may too,
    unless `includes_staff` is false.
    """

    scope: Scope | None
    may: frozenset[str]
    reviewed: frozenset[str] | None = None
    four_eyes: frozenset[str] | None = None
    includes_staff: bool = True

    def under(self, policy: str) -> frozenset[str]:
        """Who may under a namespace's policy, besides staff."""
        if policy == Policy.FOUR_EYES and self.four_eyes is not None:
            return self.four_eyes
        if policy != Policy.MEMBERS and self.reviewed is not None:
            return self.reviewed
        return self.may


RULES: Mapping[Action, Rule] = {
    Action.PROPOSE: Rule(Scope.PROPOSE, frozenset({ANYBODY})),
    Action.REVIEW: Rule(Scope.ADMIN, CURATORS),
    Action.PUBLISH: Rule(Scope.PUBLISH, MEMBERS, CURATORS, NOBODY),
    Action.YANK: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.UNYANK: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.DEPRECATE: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.UNDEPRECATE: Rule(Scope.YANK, MEMBERS, CURATORS),
    Action.POINT_ALIAS: Rule(Scope.ADMIN, CURATORS),
    Action.MANAGE_MEMBERS: Rule(Scope.ADMIN, OWNERS),
    Action.DESCRIBE_NAMESPACE: Rule(Scope.ADMIN, OWNERS),
    Action.MAKE_NAMESPACE: Rule(Scope.ADMIN, STAFF_ONLY),
    Action.REVISE_KIND: Rule(Scope.ADMIN, STAFF_ONLY),
    Action.ISSUE_TOKEN: Rule(None, frozenset({ONESELF})),
    Action.REVOKE_TOKEN: Rule(None, frozenset({ONESELF})),
    Action.SAVE_DRAFT: Rule(None, frozenset({ONESELF}), includes_staff=False),
    Action.SET_PASSWORD: Rule(None, frozenset({ONESELF, SUPERUSER}), includes_staff=False),
    Action.CLOSE_ACCOUNT: Rule(None, frozenset({ONESELF}), includes_staff=False),
    Action.MANAGE_ACCOUNTS: Rule(None, frozenset({SUPERUSER}), includes_staff=False),
}

# What an action is about: a name, a namespace, whose token it is, or the registry as a whole.
Subject = TagName | Reference | Namespace | User | None


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who acts: an account, and the token it is used with, if any."""

    user: User
    token: Token | None = None
    is_operator: bool = False

    @classmethod
    def signed_in(cls, user: Any) -> Actor | None:
        """Return the actor of a session's user, or None where nobody is signed in."""
        return cls(user) if user.is_authenticated else None

    @classmethod
    def operator(cls, user: User) -> Actor:
        """Return an actor for whoever runs the server, who acts in the name of an account.

        Nothing is checked: who has the command line has the database. The log names the account.
        """
        return cls(user, is_operator=True)


@dataclass(frozen=True, slots=True)
class Permission:
    """An action that an actor was allowed to take when it was last checked.

    `require` makes one before anything is computed; `writing.authorized_write` checks it again
    once it holds the write lock.
    """

    actor: Actor
    action: Action
    subjects: tuple[Subject, ...]

    @property
    def user(self) -> User:
        """The account that acts, for the rows and events of a write."""
        return self.actor.user

    def check(self) -> None:
        """Check every subject against rights read anew from the database. One query.

        Raises `Refused`: UNAUTHENTICATED for a closed account and for a token that is revoked or
        expired, else FORBIDDEN.
        """
        if self.actor.is_operator:
            return
        current = _current_rights(self.actor, self.subjects)
        for subject in self.subjects:
            _check_one(self.actor, current, self.action, subject)


def require(actor: Actor | None, action: Action, subject: Subject = None) -> Permission:
    """Return the permission of an actor to do this to the subject. One query.

    Whatever the token was issued for, what counts is what its owner may do now. Raises `Refused`:
    UNAUTHENTICATED for nobody, for a closed account, for a token that is revoked or expired; else
    FORBIDDEN.
    """
    return require_all(actor, action, [subject])


def require_all(actor: Actor | None, action: Action, subjects: Collection[Subject]) -> Permission:
    """Return the permission of an actor to do this to each subject. One query.

    Raises `Refused` as `require` does, for the first subject that it cannot be done to.
    """
    permission = Permission(authenticated(actor), action, tuple(subjects))
    permission.check()
    return permission


def require_own(actor: Actor | None, action: Action) -> Permission:
    """Return the permission of an actor to do this to their own account. One query.

    Raises `Refused` as `require` does.
    """
    actor = authenticated(actor)
    return require(actor, action, actor.user)


def authenticated(actor: Actor | None) -> Actor:
    """Return the actor, if there is one. Raises `Refused` (UNAUTHENTICATED) for nobody."""
    if actor is None:
        raise Refused(
            Code.UNAUTHENTICATED,
            "This needs a token: Authorization: Bearer ttr_<prefix>_<secret>.",
        )
    return actor


def allowed(actor: Actor | None, action: Action, subject: Subject = None) -> bool:
    """Tell whether somebody may do something, for a page that offers it. One query."""
    try:
        require(actor, action, subject)
    except Refused:
        return False
    return True


def allowed_among(
    actor: Actor | None, action: Action, subjects: Collection[Subject]
) -> list[Subject]:
    """Return those of the subjects that somebody may do something to. One query."""
    actor = authenticated(actor)
    if actor.is_operator:
        return list(subjects)
    current = _current_rights(actor, subjects)

    def may(subject: Subject) -> bool:
        try:
            _check_one(actor, current, action, subject)
        except Refused:
            return False
        return True

    return [subject for subject in subjects if may(subject)]


def covers(pattern: str, subject: Subject) -> bool:
    """Whether a token's pattern covers a subject.

    A namespace covers itself and its names, `ns/prefix/*` the names that begin so, `*` everything.
    """
    if pattern == "*":
        return True
    if subject is None or isinstance(subject, User):
        return False
    if pattern.endswith("/*"):
        return str(subject).startswith(pattern[:-1])
    return _namespace(subject) == pattern


def refuse_out_of_force(token: Token, *, is_revoked: bool, is_expired: bool) -> None:
    """Raise `Refused` (UNAUTHENTICATED) for a token that is revoked or expired."""
    if is_revoked:
        raise Refused(Code.UNAUTHENTICATED, f"The token {token.label!r} is revoked.")
    if is_expired:
        when = f" on {token.expires:%Y-%m-%d}" if token.expires else ""
        raise Refused(Code.UNAUTHENTICATED, f"The token {token.label!r} expired{when}.")


def _current_rights(actor: Actor, subjects: Collection[Subject]) -> Rights:
    """Read what an actor's rights are now. Raises `Refused` (UNAUTHENTICATED)."""
    names = {
        _namespace(subject) for subject in subjects if subject and not isinstance(subject, User)
    }
    current = current_rights.read(actor.user, actor.token, names)
    if current is None or not current.account.is_active:
        name = current.account.username if current else actor.user.username
        raise Refused(Code.UNAUTHENTICATED, f"The account {name} is closed.")
    if actor.token and current.token:
        refuse_out_of_force(
            actor.token,
            is_revoked=current.token.is_revoked,
            is_expired=current.token.is_expired,
        )
    return current


def _check_one(actor: Actor, current: Rights, action: Action, subject: Subject) -> None:
    rule = RULES[action]
    if actor.token and current.token:
        _check_token(actor.token, current.token, action, rule, subject)
    account, namespace = current.account, "" if isinstance(subject, User) else _namespace(subject)
    may = rule.under(current.policies.get(namespace, Policy.MEMBERS))
    if may is NOBODY:
        raise Refused(
            Code.FORBIDDEN,
            f"Nobody may {action} in {namespace}: everything there is reviewed by "
            "somebody else. Propose it.",
        )
    is_staff = account.is_staff and rule.includes_staff
    if not is_staff and may.isdisjoint(_standings(current, namespace, subject)):
        place = f" for {subject}" if isinstance(subject, User) else f" in {namespace}"
        instead = " Propose it instead." if action is Action.PUBLISH else ""
        staff = ["staff"] if rule.includes_staff else []
        raise Refused(
            Code.FORBIDDEN,
            f"{account.username} may not {action}{place if subject else ''}; "
            f"who may: {', '.join([*sorted(may), *staff])}.{instead}",
        )


def _check_token(
    token: Token, current: TokenState, action: Action, rule: Rule, subject: Subject
) -> None:
    if rule.scope is None:
        raise Refused(Code.FORBIDDEN, f"No token may {action}: sign in to do it.")
    if rule.scope not in current.scopes:
        scopes = " ".join(sorted(current.scopes))
        raise Refused(
            Code.FORBIDDEN,
            f"The token {token.label!r} is for {scopes}; to {action} takes {rule.scope}.",
        )
    if not covers(current.pattern, subject):
        place = str(subject) if subject else "the registry as a whole"
        raise Refused(
            Code.FORBIDDEN, f"The token {token.label!r} is for {current.pattern}, not for {place}."
        )


def _standings(current: Rights, namespace: str, subject: Subject) -> set[str]:
    """Return what an account is to a subject."""
    standings = {ANYBODY}
    if current.account.is_superuser:
        standings.add(SUPERUSER)
    if isinstance(subject, User) and subject.pk == current.account.pk:
        standings.add(ONESELF)
    if namespace in current.roles:
        standings.add(current.roles[namespace])
    return standings


def _namespace(subject: Subject) -> str:
    """Return the first segment of a subject's name; empty for the registry as a whole."""
    return str(subject).partition("/")[0] if subject else ""
